"""The false alarm rate that is held, on the Error control page."""

import numpy as np
import pytest
from app_visits import address, healthy

from nestviz.data import make_sample
from nestviz.data.splits import hold_out
from nestviz.estimators.error_control.umbrella import threshold_rank

PAGE = "pages/use/error_control.py"
MANY = {"data": "banana", "banana.n": "200", "folds": "2", "aside": "60"}
FEW = {"data": "banana", "banana.n": "80", "folds": "2"}


def promised(app):
    return next(m.value for m in app.markdown if "Held, not estimated" in m.value)


def test_both_thresholds_and_the_code_of_the_held_one(open_app, tmp_path, monkeypatch):
    app = open_app(PAGE, **MANY)
    data = make_sample("banana", 0, n=200)
    _, aside = hold_out(data, 0.6, 0)
    negatives = int((data.y[aside] < 0).sum())
    have = negatives // 2
    assert "needs 29 points of class −1 that serve nothing else" in promised(app)
    assert f"you have {have}." in promised(app)
    table = app.dataframe[0].value.set_index("kind")
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(app.code[0].value, names)
    assert table["threshold"]["held"] == pytest.approx(names["threshold"], rel=1e-12)
    assert len(names["half"]) == have
    # The threshold is the order statistic of points that are in neither error rate.
    scores = np.sort(names["scores"])
    assert names["threshold"] == scores[threshold_rank(have, 0.1, 0.05) - 1]
    kept, model = names["kept"], names["model"]
    rest = np.setdiff1d(np.arange(kept.n), names["half"])
    values = model.family_.values(kept.X[rest], 0.0).ravel()
    called, y = values > names["threshold"], kept.y[rest]
    assert table["false alarms"]["held"] == pytest.approx(called[y < 0].mean())
    assert table["misses"]["held"] == pytest.approx(1 - called[y > 0].mean())
    assert table["false alarms"]["estimated"] == pytest.approx(
        (model.predict(kept.X[rest]) > 0)[y < 0].mean()
    )
    app.slider(key="delta").set_value(0.3).run()
    assert address(healthy(app))["delta"] == ["0.3"]
    assert "with a probability of 70%, a threshold needs 12" in promised(app)
    assert app.dataframe[0].value["threshold"][1] <= names["threshold"]


def test_too_few_points_are_said_before_the_search(open_app):
    app = open_app(PAGE, **FEW)
    assert "you have 10. **Too few:** hold out more points" in promised(app)
    assert not len(app.dataframe)
    # At most 70% of 40 points of class −1 are held out: 14 at most, of 29.
    assert not [button for button in app.button if button.key == "hold-out-enough"]
    app.segmented_control(key="aim").set_value("minimax").run()
    assert not [m for m in healthy(app).markdown if "Held, not estimated" in m.value]


def test_one_click_holds_out_as_many_points_as_a_guarantee_needs(open_app):
    app = open_app(PAGE, **(MANY | {"aside": "20"}))
    assert "you have 10. **Too few:**" in promised(app)
    app.button(key="hold-out-enough").click().run()
    assert address(healthy(app))["aside"] == ["60"]
    assert "you have 30." in promised(app)
    assert len(app.dataframe)
    # What is proved is said first, and not below a warning that nothing is.
    assert app.info[0].value.startswith("**With the held threshold, at most 10% of class −1")
