"""Read the HTML, CSS and JavaScript of the components."""

from importlib.resources import files


def read_assets(*names: str) -> str:
    """Return the text of the named files, one after the other.

    Parameters
    ----------
    *names : str
        Paths inside ``nestviz/ui``, such as ``"components/common.css"``.

    Returns
    -------
    str
        The joined text, ending in a newline.
    """
    folder = files("nestviz.ui")
    return "".join(folder.joinpath(name).read_text("utf-8").rstrip() + "\n" for name in names)
