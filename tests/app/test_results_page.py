"""The Results page, without a browser."""

import json
from dataclasses import replace

import pytest
from app_visits import address, components, healthy
from study_runs import QUANTITIES, SETS, auc_run, auc_values, share_run

from nestviz.resources import RESULTS
from nestviz.studies.findings import Claim, Findings, Value
from nestviz.studies.reproduce.target import Target
from nestviz.studies.run_record import write_run
from nestviz.ui.pages.results import catalogue

PAGE = "pages/learn/results.py"
MARKED = "<img src=x>**bold** $x$ :red[r] [a](http://127.0.0.1:9/)"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of results of two studies, and a target that has none."""
    for run in (auc_run(), share_run()):
        write_run(tmp_path, run)
    monkeypatch.setenv(RESULTS, str(tmp_path))
    absent = Target(
        "fig13", "Training times", "Lee & Scott 2010", lambda _: None, None, None, (2, 90)
    )
    monkeypatch.setattr(catalogue, "targets", lambda: {"fig13": absent})
    return tmp_path


def figure(app):
    return json.loads(app.get("plotly_chart")[0].proto.spec)


def words(app):
    return " ".join(block.value for block in (*app.main.markdown, *app.main.caption))


def test_the_first_table_with_results_is_shown(open_app):
    app = open_app(PAGE)
    box = app.selectbox(key="table")
    assert box.value == "fig7"
    assert list(box.options)[-1] == "Training times (no results here)"
    assert app.header[0].value == "Claims: 1 of 3 held"
    assert "Lee & Scott 2010, fig. 7" in words(app).replace("&#38;", "&")
    assert "quick protocol" in words(app)
    assert not any(widget.key == "data" for widget in app.selectbox)


def test_claims_have_their_verdict_evidence_and_reason(open_app):
    shown = words(open_app(PAGE))
    assert ":material/check_circle: **Held.** Nesting lowers the AUC of two classes." in shown
    assert ":material/cancel: **Not held.** Nesting raises" in shown
    assert ":material/help: **Undecided.** The size of the disagreement" in shown
    assert "Published: 0.24. Here: 0.04 to 0.24. Cross-validation hardly constrains it." in shown


def test_published_and_ours_are_side_by_side(open_app):
    app = open_app(PAGE)
    assert "9 of 15 values are within one published standard deviation" in words(app)
    assert [head.value for head in app.subheader] == list(QUANTITIES)
    assert len(app.get("plotly_chart")) == len(app.table) == len(QUANTITIES)
    traces = figure(app)["data"]
    assert [trace["name"] for trace in traces] == ["published", "ours"]
    assert len({trace["marker"]["symbol"] for trace in traces}) == 2
    table = app.table[0].value
    assert list(table.index) == list(SETS)
    assert [cell.replace("\u00a0", " ") for cell in table.iloc[0]] == [
        "0.950 ± 0.009", "0.974 ± 0.010", "○ beyond 2 sd",
    ]  # fmt: skip
    alt = app.get("plotly_chart")[0].proto.alt
    assert "3 of 5 values are within one published standard deviation" in alt


def test_rows_and_quantities_are_chosen_and_are_in_the_link(open_app):
    app = open_app(PAGE)
    app.multiselect(key="quantity").set_value(["uniform, plain"]).run()
    app.multiselect(key="only").set_value(["heart", "titanic"]).run()
    table = healthy(app).table[0].value
    assert list(table.index) == ["heart", "titanic"]
    assert "2 of 2 values" in words(app)
    assert address(app) == {"quantity": ["uniform, plain"], "only": ["heart", "titanic"]}
    linked = open_app(PAGE, table="fig7", quantity="uniform, plain", only="heart")
    assert list(linked.table[0].value.index) == ["heart"]


def test_another_table_forgets_rows_that_it_does_not_have(open_app):
    app = open_app(PAGE, only="heart", quantity="uniform, plain")
    app.selectbox(key="table").set_value("table8.1").run()
    assert [len(table.value) for table in healthy(app).table] == [4, 4]
    assert "8 values are published without a standard deviation" in words(app)


def test_no_quantity_says_so(open_app):
    app = open_app(PAGE)
    app.multiselect(key="quantity").set_value([]).run()
    assert "No quantity is chosen" in words(healthy(app))
    assert not app.get("plotly_chart")


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_a_case_opens_its_page_with_its_settings(open_app, quantity):
    app = open_app(PAGE, quantity=quantity, only="heart")
    (button,) = [b for b in app.button if b.label == "heart"]
    button.click().run()
    (view,) = [v.view for v in auc_values() if (v.item, v.quantity) == ("heart", quantity)]
    two = view["page"] == "two-classes"
    assert healthy(app).title[0].value == ("Two classes" if two else "One class")
    assert app.selectbox(key="data").value == "bench-heart"
    key = "left2" if two else "left"
    assert app.selectbox(key=key).value == view[key]
    assert app.session_state["view"].width == 0.35
    assert not [info for info in app.info if "could not be used" in info.value]
    app.switch_page(PAGE).run()
    assert healthy(app).multiselect(key="only").value == ["heart"]


def test_a_case_opens_with_all_other_settings_at_their_defaults(open_app):
    app = open_app(PAGE, only="heart", nu="0.9", seed="7")
    next(b for b in app.button if b.label == "heart").click().run()
    assert healthy(app).session_state["view"].nu is None
    assert app.number_input(key="seed").value == 0


def test_cases_without_a_page_have_no_button(open_app, folder):
    values = [Value("heart", "AUC", 0.5, view={"page": "nowhere"}), Value("image", "AUC", 0.5)]
    write_run(folder, auc_run(name="a", findings=Findings(values=values)))
    app = open_app(PAGE, table="a")
    assert not [button for button in app.button if button.label in ("heart", "image")]
    assert "None of these values is printed" in words(app)


def test_a_table_without_results_names_the_command(open_app):
    app = open_app(PAGE, table="fig13")
    assert "“Training times” are not here" in app.info[0].value
    assert "nestviz reproduce fig13 --full" in app.code[0].value
    assert "about 2 and 90 minutes" in words(app)
    assert not app.header


def test_damaged_results_are_named(open_app, folder):
    (folder / "fig7" / "findings.json").write_text("{}")
    app = open_app(PAGE, table="fig7")
    assert "are damaged" in app.info[0].value
    assert app.selectbox(key="table").options[0] == "Shares of outliers and support vectors"


def test_nothing_at_all_has_a_sentence(open_app, folder, monkeypatch):
    monkeypatch.setenv(RESULTS, str(folder / "nothing"))
    monkeypatch.setattr(catalogue, "targets", dict)
    app = open_app(PAGE)
    assert "nestviz reproduce all --quick" in app.info[0].value
    assert components(app, "nestviz_address")


def test_results_that_are_computed_again_are_read_again(open_app, folder):
    app = open_app(PAGE)
    claims = [Claim("Everything changed.", "a", "b", True)]
    write_run(folder, auc_run(findings=replace(auc_run().findings, claims=claims)))
    assert "Everything changed." in words(healthy(app.run()))


def test_the_values_are_downloaded_as_they_were_written(folder):
    content = catalogue.values_csv("fig7")
    assert content.startswith(b"item,quantity,ours,sd,n,published,published_sd,distance\n")
    assert content.count(b"\n") == 1 + len(SETS) * len(QUANTITIES)
    assert catalogue.values_csv("fig13") is None


def test_any_text_is_shown_as_it_is(open_app, folder):
    findings = Findings(
        values=[Value(MARKED, MARKED, 0.5, published=0.5, view={"page": "one-class"})],
        claims=[Claim(MARKED, MARKED, MARKED, False, MARKED)],
        notes=[MARKED],
    )
    write_run(folder, auc_run(name="a", source=MARKED, describe=[MARKED], findings=findings))
    app = open_app(PAGE, table="a")
    texts = [block.value for block in (*app.markdown, *app.caption)]
    labels = [button.label for button in app.button]
    cells = [str(cell) for cell in app.table[0].value.to_records().tolist()]
    assert not [text for text in (*texts, *labels, *cells) if "<img" in text or "[a](" in text]
    assert "<img" not in app.get("plotly_chart")[0].proto.spec


def test_the_results_that_come_with_nestviz_are_found(monkeypatch):
    monkeypatch.delenv(RESULTS)
    assert (catalogue.results_dir() / "index.md").is_file()
