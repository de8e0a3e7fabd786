"""Heights, shades, points and sets of the tree's pictures, and HDBSCAN's tree beside it."""

import json
from base64 import b64decode

import numpy as np
import pytest
from app_visits import healthy
from sklearn.cluster import HDBSCAN
from sklearn.metrics import adjusted_rand_score
from tree_messages import NESTED, PAGE, messages, metric, told

from nestviz.kernels import median_distance
from nestviz.ui.compute import entry_maps, tasks
from nestviz.ui.compute.methods import Spec


@pytest.fixture
def page(open_app):
    return open_app(PAGE, data="multi")


@pytest.mark.parametrize(
    ("heights", "level_of"),
    [("log level", lambda height: 10**height), ("1/level", lambda height: -1 / height)],
)
@pytest.mark.parametrize("method", ["Parzen", NESTED])
def test_other_heights_are_of_the_same_levels(open_app, heights, level_of, method):
    plain, _ = messages(open_app(PAGE, data="multi", method=method))
    tree, _ = messages(healthy(open_app(PAGE, data="multi", method=method, heights=heights)))
    assert tree["scale"]["kind"] == {"log level": "log", "1/level": "inverse"}[heights]
    assert level_of(tree["cut"]) == pytest.approx(plain["cut"], rel=1e-9)
    for here, there in zip(tree["nodes"], plain["nodes"], strict=True):
        if there["lines"]:
            # Below the last solved level nothing is to scale.
            assert here["top"] <= tree["base"]
        elif there["bottom"] > 0:
            assert level_of(here["bottom"]) == pytest.approx(there["bottom"], rel=1e-4)
            assert level_of(here["top"]) == pytest.approx(there["top"], rel=1e-4)
    if method == NESTED:
        assert level_of(tree["base"]) == pytest.approx(plain["base"])
        assert tree["heights"][0] < tree["base"]
    assert [level_of(at) for at in tree["splits"]] == pytest.approx(plain["splits"])


def test_branches_are_shaded_by_their_stability_and_carry_their_points(page):
    tree, plane = messages(page)
    table = page.dataframe[0].value
    shades = [node["shade"] for node in tree["nodes"]]
    assert shades == pytest.approx(table["stability"] / table["stability"].max(), abs=1e-4)
    assert tree["stability"] == f"{table['stability'].max():.3g}"
    assert "stability" in tree["nodes"][2]["text"]
    assert tree["link"] == plane["link"] != ""
    node_of = np.array(tree["points"]["node_of"])
    for k, node in enumerate(tree["nodes"]):
        assert np.count_nonzero((node_of >= k) & (node_of < node["end"])) == table["size"][k]
    assert len(tree["points"]["exits"]) == 200


def test_the_plane_has_the_sets_of_all_levels(page):
    """Entry levels of pixels, from which the browser draws the set at any level."""
    current = page.session_state["current_data"]
    sigma = 0.2 * median_distance(current.fitted.X)
    spec = Spec("Parzen", sigma, spacing="geometric")
    fitted = tasks.fit(spec, current.fitted.X)
    expected = entry_maps.entry_map(fitted, current.fitted.X, current.plane).entry
    sets = messages(page)[1]["sets"]
    codes = np.frombuffer(b64decode(sets["codes"]), "<u2").reshape(sets["rows"], sets["columns"])
    entry = sets["low"] * (sets["high"] / sets["low"]) ** ((codes - 1.0) / 65534)
    assert np.array_equal(codes == 0, expected < sets["low"])
    np.testing.assert_allclose(entry[codes > 0], expected[codes > 0], rtol=1e-3)


def test_hdbscan_is_compared_by_tree_clusters_and_number(page):
    page.toggle(key="hdbscan").set_value(True).run()
    trees = [
        json.loads(part.proto.json)
        for part in healthy(page).get("bidi_component")
        if part.proto.component_name == "nestviz_branches"
    ]
    assert [tree["name"] for tree in trees] == ["Cluster tree", "HDBSCAN's tree"]
    assert trees[0]["link"] == trees[1]["link"]
    assert trees[1]["cut"] is None
    assert not trees[1]["sets"]
    X = page.session_state["current_data"].fitted.X
    labels = HDBSCAN(min_cluster_size=4, copy=True).fit_predict(X)
    plane = messages(page)[1]
    mine = np.array(plane["kind_of"]) - 1
    expected = adjusted_rand_score(mine, labels)
    assert metric(page, "Agreement with HDBSCAN") == f"{expected:.2f}"
    assert any(f"HDBSCAN finds {labels.max() + 1} clusters" in words for words in told(page))
    # Its clusters have the colours of those that they share most points with.
    assert {node["colour"] for node in trees[1]["nodes"] if node["bold"]} == {0, 1, 2}
    code = next(c.value for c in page.code if "hdbscan_tree" in c.value)
    assert "min_cluster_size=4" in code
    page.slider(key="prune").set_value(10.0).run()
    titles = [json.loads(part.proto.json).get("title") for part in page.get("bidi_component")]
    assert "HDBSCAN, 20 points or more" in titles


@pytest.mark.parametrize("clusters", ["at the cut", "most stable"])
def test_the_text_of_the_plane_follows_the_cut(open_app, clusters):
    for cut in ("0.1", "0.5"):
        page = open_app(PAGE, data="multi", cut=cut, clusters=clusters)
        plane = messages(page)[1]
        kinds = np.array(plane["kind_of"])
        sizes = np.bincount(kinds, minlength=len(plane["kinds"]))
        for kind, size in list(zip(plane["kinds"], sizes, strict=True))[1:6]:
            assert f"{kind['name']} with {size} points" in plane["alt"]
        assert f"{sizes[0]} points are outside." in plane["alt"]
        assert f"{len(sizes) - 1} cluster" in plane["alt"]
