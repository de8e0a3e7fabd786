"""Reading the HTML, CSS and JavaScript that live beside this module."""

from importlib.resources import files


def read_assets(*names: str) -> str:
    """Return the text of the named files, one after the other.

    A component is registered as a single inline module, and such a module cannot import
    its neighbours. Scripts that share code are therefore joined in the order given:
    what is used at load time must be named before its user.

    Parameters
    ----------
    *names : str
        File names in this folder, such as ``"canvas.js"``.

    Returns
    -------
    str
        The joined text, ending in a newline.
    """
    folder = files(__package__)
    return "".join(folder.joinpath(name).read_text("utf-8").rstrip() + "\n" for name in names)
