"""Read the HTML and CSS of the components, and join their JavaScript modules.

Streamlit registers a component as one inline module, which cannot import others. The scripts are
ordinary ES modules, so that the type checker, the linter and the tests read them as they are;
`bundle` follows their imports and joins them into one text. Nothing but Python is needed for it.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable
from importlib.resources import files

from nestviz.ui.components import constants

_PALETTE = "components/js/palette.js"
_WORKER_SOURCE, _WORKER = "player/js/worker_source.js", "player/js/field_worker.js"
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n", re.MULTILINE | re.DOTALL)
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_OTHER_IMPORT = re.compile(r"^(?:import\b|export \*|export \{).*", re.MULTILINE)
_DEFAULT = re.compile(r"^export default [^;{]*;\n", re.MULTILINE)
_DECLARED = re.compile(r"^(export )?(?:async )?(?:const|let|class|function) ([\w$]+)", re.MULTILINE)


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


def _read_module(path: str) -> str:
    if path == _PALETTE:
        return constants.script()
    if path == _WORKER_SOURCE:
        # A worker starts from one text, too.
        return f"export const WORKER_SOURCE = {json.dumps(bundle(_WORKER))};\n"
    return read_assets(path)


def bundle(entry: str, read: Callable[[str], str] = _read_module) -> str:
    """Join a JavaScript module and all it imports into one module without imports.

    Modules come after those they import. Comments are left out, since the text is sent to the
    browser. All modules share one scope: a name may be declared at the top of one of them only.

    Parameters
    ----------
    entry : str
        Path of the module inside ``nestviz/ui``. Its default export is kept.
    read : callable, optional
        Returns the text of a path; raises FileNotFoundError where there is none.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If an import cannot be resolved, modules import each other, or two declare one name.
    """
    modules: dict[str, str] = {}
    _collect(entry, (), modules, read)
    owners: dict[str, str] = {}
    for path, text in modules.items():
        for _, name in _DECLARED.findall(text):
            if name in owners:
                raise ValueError(
                    f"{owners[name]} and {path} both declare {name}; rename one of the two, since "
                    "they share a scope once joined."
                )
            owners[name] = path
    return "".join(_joined(text, path == entry) for path, text in modules.items())


def _collect(
    path: str, importers: tuple[str, ...], modules: dict[str, str], read: Callable[[str], str]
) -> None:
    """Add a module to ``modules``, after the modules it imports."""
    if path in importers:
        circle = (*importers[importers.index(path) :], path)
        raise ValueError(f"Modules import each other: {' → '.join(circle)}.")
    if path in modules:
        return
    try:
        text = _COMMENT.sub("", read(path))
    except FileNotFoundError as error:
        if not importers:
            raise
        raise ValueError(f"{importers[-1]} imports {path}, which does not exist.") from error
    for names, target in _IMPORT.findall(text):
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        _collect(found, (*importers, path), modules, read)
        exported = {name for export, name in _DECLARED.findall(modules[found]) if export}
        unknown = {name.strip() for name in names.split(",")} - exported - {""}
        if unknown:
            raise ValueError(
                f"{path} imports {', '.join(sorted(unknown))}, which {found} does not export."
            )
    other = _OTHER_IMPORT.search(_IMPORT.sub("", text))
    if other:
        raise ValueError(
            f"{path} has {other[0]!r}; the only forms understood are "
            '`import { a, b } from "./file.js";` and an `export` before a declaration.'
        )
    modules[path] = text


def _joined(text: str, is_entry: bool) -> str:
    text = _IMPORT.sub("", text)
    if not is_entry:
        text = _DEFAULT.sub("", text)
    text = re.sub(r"^export (?!default)", "", text, flags=re.MULTILINE)
    # Streamlit sends the script with each new content of a component.
    text = re.sub(r"^[ \t]+", "", text, flags=re.MULTILINE)
    return text.strip("\n") + "\n"
