"""Reports: what they say, that they stand alone, and that they are the same every time."""

import html.parser
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hostile_names import NAMES
from markdown_it import MarkdownIt
from study_runs import QUANTITIES, SETS, auc_run, share_run

from nestviz.escaping import plain
from nestviz.palette import DARK, LIGHT
from nestviz.reports.numbers import with_spread
from nestviz.reports.report import write_report
from nestviz.studies.findings import Claim, Findings, Plot, Value


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    markdown, page = write_report(folder, [auc_run(), share_run()])
    return folder, markdown.read_text("utf-8"), page.read_text("utf-8")


class Reader(html.parser.HTMLParser):
    """Names, links and texts of a page; unbalanced tags are a failure."""

    VOID = ("meta",)

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.addresses, self.words = [], [], [], [], []
        self._open = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.tags.append(tag)
        self.ids += [named["id"]] if "id" in named else []
        for name in ("href", "src", "xlink:href"):
            if name in named:
                self.links.append(named[name])
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self._open.pop()

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_needs_nothing_else_and_its_links_lead_somewhere(written):
    _, _, text = written
    page = Reader(text)
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert "url(http" not in text
    assert "@import" not in text
    headings = [name for name in page.ids if name in ("summary", "fig7", "how-it-was-run")]
    assert headings == ["summary", "fig7", "how-it-was-run"]


def test_pictures_follow_the_theme_of_the_page_and_have_words(written):
    _, _, text = written
    assert f"--text: {LIGHT.text};" in text
    assert f"--text: {DARK.text};" in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    drawn = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(drawn) == 4
    for svg in drawn:
        assert re.search(r'<svg aria-label="[^"]{20,}" role="img"', svg)
        assert "var(--text)" in svg
        # No colour of one theme is left.
        assert not re.search(r"#[0-9a-f]{6}\b", svg)


def test_markdown_has_the_same_tables_and_shows_its_pictures(written):
    folder, text, _ = written
    shown = re.findall(r"^!\[[^]]+\]\(([^)]+)\)$", text, re.MULTILINE)
    assert shown == [f"plots/fig7-{k}.svg" for k in (1, 2, 3)] + ["plots/table8.1-1.svg"]
    for file in shown:
        ElementTree.fromstring((folder / file).read_text("utf-8"))
    for target in re.findall(r"\]\(#([^)]+)\)", text):
        heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        assert target in {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in heads}
    assert "| banana | 0.963 ± 0.003 | 0.962 ± 0.003 | 20 | 0.1 | ● within 1 sd |" in text


@pytest.mark.parametrize("part", [1, 2])
def test_claims_counts_and_protocol_are_said(written, part):
    words = " ".join(Reader(written[2]).words) if part == 2 else written[1].replace("\\", "")
    assert re.search(r"4 claims: ?(\*\*)?\s+2 held, 1 not held, 1 undecided\.", words)
    assert "9 of 15 values are within one published standard deviation, 11 within two." in words
    assert "two classes, plain: 3 of 5 within one sd" in words
    assert "Quick protocol" in words
    assert "Full protocol" in words
    assert "The seed of all random numbers is 0." in words
    for verdict in ("✓ held", "✗ not held", "? undecided"):
        assert verdict in words
    assert "Cross-validation hardly constrains it." in words
    assert "Uniform points are drawn from the box" in words


def test_only_the_last_section_knows_times_and_versions(tmp_path):
    slow = {"cpu_seconds": 9e4, "wall_seconds": 7e4, "computed": 0, "versions": {"python": "3.99"}}
    for name, changes in (("a", {}), ("b", slow)):
        write_report(tmp_path / name, [auc_run(**changes), share_run()])
    for file, head in (("report.md", "## How it was run"), ("report.html", 'id="how-it-was-run"')):
        one, other = ((tmp_path / name / file).read_text("utf-8") for name in "ab")
        assert one != other
        assert one.split(head)[0] == other.split(head)[0]
        assert "3.99" in other.split(head)[1]
        assert "25.0 h" in other.split(head)[1]


def test_the_same_runs_give_the_same_bytes(tmp_path, written):
    write_report(tmp_path, [auc_run(), share_run()])
    names = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.*"))
    assert len(names) == 6
    for name in names:
        assert (tmp_path / name).read_bytes() == (written[0] / name).read_bytes()


def test_numbers_that_are_not_published_have_no_empty_columns(tmp_path):
    values = [Value(name, "AUC", 0.9, 0.01, 5) for name in SETS]
    run = auc_run(protocol="own", title="Mine", findings=Findings(values=values))
    markdown, _ = write_report(tmp_path, [run])
    text = markdown.read_text("utf-8")
    assert text.startswith("# Mine\n")
    assert "|  | Here | Runs |\n" in text
    assert "| banana | 0.900 ± 0.010 | 5 |" in text
    assert "published standard deviation" not in text


def test_few_items_share_one_table(tmp_path):
    values = [Value("heart", quantity, 0.5, published=0.5) for quantity in QUANTITIES]
    markdown, _ = write_report(tmp_path, [auc_run(findings=Findings(values=values))])
    assert "| heart | two classes, plain | 0.500 | 0.500 | 0.0 | ● equal as printed |" in (
        markdown.read_text("utf-8")
    )


def test_a_report_of_nothing_is_refused(tmp_path):
    with pytest.raises(ValueError, match="at least one run"):
        write_report(tmp_path, [])


def test_a_study_without_values_or_claims_has_a_report(tmp_path):
    markdown, _ = write_report(tmp_path, [auc_run(findings=Findings())])
    text = markdown.read_text("utf-8")
    assert "### Values" not in text
    assert "### Plots" not in text
    assert "## How it was run" in text


def test_any_text_is_shown_as_it_is(tmp_path):
    rows = [{"a": name, "b": 1.0, "c": name} for name in NAMES]
    run = auc_run(
        title=NAMES[0], source=NAMES[1], describe=NAMES, versions={name: name for name in NAMES},
        findings=Findings(
            values=[Value(name, NAMES[2], 0.5, published=0.5) for name in NAMES],
            claims=[Claim(name, name, name, None, name) for name in NAMES],
            tables={"t": rows, "u": rows[:5]},
            plots=[Plot("t", "dots", NAMES[3], "a", "b"),
                   Plot("u", "lines", NAMES[4], "a", "b", "c"),
                   Plot("t", "ranks", NAMES[5], "a", "b")],
            notes=NAMES,
        ),
    )  # fmt: skip
    markdown, page = write_report(tmp_path, [run])
    reader = Reader(page.read_text("utf-8"))
    assert not {"script", "img", "iframe", "b"} & set(reader.tags)
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown.read_text("utf-8"))
    inline = [token.children or [] for token in tokens if token.type == "inline"]
    found = [child for children in inline for child in children]
    assert not {"html_inline", "code_inline", "s_open"} & {child.type for child in found}
    assert not [token for token in tokens if token.type in ("html_block", "fence", "code_block")]
    links = [child.attrs["href"] for child in found if child.type == "link_open"]
    assert all(link.startswith("#") for link in links)
    images = [child.attrs["src"] for child in found if child.type == "image"]
    assert images == [f"plots/fig7-{k}.svg" for k in range(1, 5)]
    texts = ["".join(child.content for child in children) for children in inline]
    for name in filter(str.strip, NAMES):
        shown = plain(name, 4000)
        # A sentence, a claim with its evidence and reason, a note, a version, and a row.
        assert sum(shown == words for words in reader.words) >= 8, shown
        assert sum(shown == text for text in texts) >= 8, shown


def test_a_claim_without_a_reason_leaves_no_column(tmp_path):
    findings = replace(auc_run().findings, claims=[Claim("It holds.", "yes", "yes", True)])
    markdown, _ = write_report(tmp_path, [auc_run(findings=findings)])
    assert "| Claim | Published | Here | Verdict |\n" in markdown.read_text("utf-8")


@pytest.mark.parametrize(
    ("value", "sd", "text"),
    [
        (0.99795, 1.3e-4, "0.998 ± 0.000"),
        (0.719, 0.0186, "0.719 ± 0.019"),
        (2.1e-4, 1.3e-4, "2.1e−04 ± 1.3e−04"),
        (0.5, float("nan"), "0.500"),
    ],
)
def test_a_spread_has_the_digits_of_its_number(value, sd, text):
    assert with_spread(value, sd) == text
