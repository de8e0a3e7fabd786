"""Optional packages: which extra of nestviz installs them."""

from __future__ import annotations

from importlib.util import find_spec


class MissingPackageError(ImportError):
    """An optional package is not installed; the message has the command that installs it."""


def require(package: str, extra: str, use: str) -> None:
    """Raise an error where an optional package is not installed.

    Parameters
    ----------
    package : str
        Name by which it is imported.
    extra : str
        Extra of nestviz that installs it.
    use : str
        Subject of the message, in the plural: "Figures".

    Raises
    ------
    MissingPackageError
        If the package cannot be found.
    """
    if find_spec(package) is None:
        raise MissingPackageError(
            f"{use} need the package {package}, which is not installed. "
            f'Install it with: pip install "nestviz[{extra}]"',
            name=package,
        )
