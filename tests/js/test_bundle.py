"""Joining JavaScript modules into the one that Streamlit registers."""

import json
import re
from pathlib import Path

import pytest

import nestviz.ui
from nestviz.ui.components import constants
from nestviz.ui.components.assets import bundle

UI = Path(nestviz.ui.__file__).parent
ENTRIES = sorted(
    path.relative_to(UI).as_posix()
    for path in UI.glob("*/js/*.js")
    if "export default" in path.read_text("utf-8")
)


def joined(entry: str = "a/main.js", **files: str) -> str:
    """Bundle modules given by their names, where ``__`` is a slash."""
    texts = {f"{name.replace('__', '/')}.js": text for name, text in files.items()}

    def read(path: str) -> str:
        if path not in texts:
            raise FileNotFoundError(path)
        return texts[path]

    return bundle(entry, read)


def test_modules_come_after_what_they_import_and_once():
    text = joined(
        a__main='import { two } from "./b.js";\nimport { one } from "../c/d.js";\n'
        "export default two + one;\n",
        a__b='import {\n  one,\n} from "../c/d.js";\nexport const two = one + 1;\n',
        c__d="export const one = 1;\n",
    )
    assert text == "const one = 1;\nconst two = one + 1;\nexport default two + one;\n"


def test_only_the_default_export_of_the_entry_is_kept():
    text = joined(
        a__main='import { mount } from "./b.js";\nmount();\n',
        a__b="export function mount() {}\nexport default mount;\n",
    )
    assert text == "function mount() {}\nmount();\n"


def test_comments_are_left_out_and_code_beside_them_is_not():
    text = joined(
        a__main="// Words.\n/**\n * @import { X } from './x.js'\n */\nexport class A {\n"
        "  /** @type {X} */ x = /** @type {any} */ (1); // why\n\n  /* one */\n}\n",
    )
    assert text == "class A {\n/** @type {X} */ x = /** @type {any} */ (1); // why\n\n}\n"


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"a__main": 'import { b } from "./b.js";\n'}, "a/main.js imports a/b.js, .* not exist"),
        (
            {
                "a__main": 'import { b, c } from "./b.js";\n',
                "a__b": "export let c;\nconst b = 1;\n",
            },
            "a/main.js imports b, which a/b.js does not export",
        ),
        (
            {
                "a__main": 'import { b } from "./b.js";\n',
                "a__b": 'import { c } from "./c.js";\nexport class b {}\n',
                "a__c": 'import { b } from "./b.js";\nexport class c {}\n',
            },
            "a/b.js → a/c.js → a/b.js",
        ),
        (
            {
                "a__main": 'import { b } from "./b.js";\nconst helper = 1;\n',
                "a__b": "async function helper() {}\nexport const b = 1;\n",
            },
            "a/b.js and a/main.js both declare helper",
        ),
        ({"a__main": 'import b from "./b.js";\n'}, "a/main.js has 'import b"),
        ({"a__main": 'import { b } from "somewhere";\n'}, "only forms understood"),
        ({"a__main": "const b = 1;\nexport { b };\n"}, "only forms understood"),
    ],
)
def test_what_cannot_be_joined_is_refused(files, sentence):
    with pytest.raises(ValueError, match=sentence):
        joined(**files)


def test_an_entry_that_does_not_exist():
    with pytest.raises(FileNotFoundError):
        bundle("components/js/nothing.js")


@pytest.mark.parametrize("entry", [*ENTRIES, "player/js/page.js"])
def test_every_component_is_one_module(entry):
    text = bundle(entry)
    assert not re.search(r"^import\b", text, re.MULTILINE)
    assert len(re.findall(r"^export\b", text, re.MULTILINE)) == (entry in ENTRIES)


def test_the_committed_constants_are_those_of_python():
    committed = (UI / "components/js/palette.js").read_text("utf-8")
    assert committed == constants.script(), (
        "Run: python -m nestviz.ui.components.constants > nestviz/ui/components/js/palette.js"
    )


def test_colours_are_written_nowhere_else():
    """Scripts and style sheets take their colours from the palette or from Streamlit's theme."""
    files = [path for kind in ("js", "css", "html") for path in UI.glob(f"*/**/*.{kind}")]
    written = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(\s*\d", re.IGNORECASE)
    found = {
        path.relative_to(UI).as_posix() for path in files if written.search(path.read_text("utf-8"))
    }
    assert found == {"components/js/palette.js"}


def test_the_worker_comes_as_one_text():
    text = bundle("player/js/fields.js")
    written = re.search(r"^const WORKER_SOURCE = (.*);$", text, re.MULTILINE)
    assert json.loads(written[1]) == bundle("player/js/field_worker.js")
    assert "onmessage" in written[1]
