"""The sweep player's message: what goes in comes out, and what does not fit is refused."""

import json
import runpy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nestviz.ui.player.protocol import QUANTUM, Panel, SweepData, decode, encode, read_header

VIEW = (-2.0, 3.0, -1.0, 1.5)


def square(x: float, y: float, half: float) -> np.ndarray:
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return corners * half + (x, y)


def make_panel(frames: int = 3, n: int = 5, seed: int = 0, **changes) -> Panel:
    rng = np.random.default_rng(seed)
    sets = tuple(
        tuple(square(0.3, 0.2, 0.1 + 0.1 * m + 0.05 * ring) for ring in range(m))
        for m in range(frames)
    )
    fields = {
        "title": "left",
        "points": rng.uniform((-2, -1), (3, 1.5), size=(n, 2)),
        "classes": rng.integers(0, 2, size=n),
        "sets": sets,
    }
    return Panel(**(fields | changes))


def make_sweep(panels: tuple[Panel, ...] | None = None, frames: int = 3, **changes) -> SweepData:
    fields = {
        "panels": panels or (make_panel(frames),),
        "levels": tuple(np.linspace(0.1, 0.9, frames)),
        "labels": tuple(f"level {m}" for m in range(frames)),
        "captions": tuple(f"{m} of the points outside" for m in range(frames)),
        "level_name": "level λ",
        "view": VIEW,
        "alt": "Sets that grow",
        "class_names": ("+1", "−1"),
    }
    return SweepData(**(fields | changes))


def assert_same_layer(got, expected) -> None:
    half_quantum = 0.5 * np.array([VIEW[1] - VIEW[0], VIEW[3] - VIEW[2]]) / QUANTUM + 1e-12
    assert [len(frame) for frame in got] == [len(frame) for frame in expected]
    for got_frame, expected_frame in zip(got, expected, strict=True):
        for got_ring, ring in zip(got_frame, expected_frame, strict=True):
            assert got_ring.shape == ring.shape
            assert (np.abs(got_ring - ring) <= half_quantum).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.integers(0, 30), st.integers(0, 10**6), st.booleans(), st.booleans())
def test_round_trip(frames, n, seed, with_overlay, with_sizes) -> None:
    rng = np.random.default_rng(seed)
    layers = [
        tuple(
            tuple(
                rng.uniform((-4, -2), (5, 2.5), size=(rng.integers(3, 9), 2))
                for _ in range(rng.integers(0, 3))
            )
            for _ in range(frames)
        )
        for _ in range(2)
    ]
    panel = make_panel(
        n=n,
        seed=seed,
        sets=layers[0],
        overlay=layers[1] if with_overlay else None,
        marker_sizes=rng.random((frames, n)) if with_sizes else None,
        texts=tuple(f"Zeile „{i}“ <b>" for i in range(n)) if with_sizes else None,
    )
    sweep = make_sweep((panel, make_panel(frames)), frames, start=frames - 1, ghost_every=2)
    got = decode(encode(sweep))

    assert got.levels == sweep.levels
    for name in ("labels", "captions", "level_name", "view", "alt", "class_names", "start"):
        assert getattr(got, name) == getattr(sweep, name)
    first = got.panels[0]
    assert first.texts == panel.texts
    assert np.array_equal(first.classes, panel.classes)
    assert_same_layer(first.sets, panel.sets)
    assert (first.overlay is None) == (panel.overlay is None)
    if panel.overlay is not None:
        assert_same_layer(first.overlay, panel.overlay)
    if panel.marker_sizes is None:
        assert first.marker_sizes is None
    else:
        assert first.marker_sizes.shape == panel.marker_sizes.shape
        assert np.allclose(first.marker_sizes, panel.marker_sizes, atol=0.5 / 255 + 1e-12)


def test_layout_of_the_message() -> None:
    payload = encode(make_sweep(), {"id": "a", "height": 300})
    length = int.from_bytes(payload[:4], "little")
    header = json.loads(payload[4 : 4 + length])
    assert header == read_header(payload)
    assert header["player"] == {"id": "a", "height": 300}
    body = 4 + length + (-length % 4)
    assert body % 4 == 0
    last = header["arrays"][-1]
    width = np.dtype(last["dtype"]).itemsize
    end = last["offset"] + last["length"] * width
    assert len(payload) == body + end + (-end % 4)
    assert all(entry["offset"] % 4 == 0 for entry in header["arrays"])


def test_equal_arrays_are_sent_once() -> None:
    rng = np.random.default_rng(1)
    panel = make_panel(n=400)
    twin = replace(panel, title="right")
    other = replace(panel, points=rng.uniform((-2, -1), (3, 1.5), size=(400, 2)))
    alone, pair, apart = (
        len(encode(make_sweep(panels))) for panels in ((panel,), (panel, twin), (panel, other))
    )
    assert pair - alone < 300
    assert apart - pair >= 400 * 4


def test_same_sweep_same_bytes() -> None:
    assert encode(make_sweep()) == encode(make_sweep())


def test_the_message_for_the_test_of_the_browsers_decoder_is_up_to_date() -> None:
    source = Path(__file__).parents[1] / "js" / "sweep_fixture.py"
    fixture = SimpleNamespace(**runpy.run_path(str(source)))
    message = fixture.MESSAGE.read_bytes()
    how = "Run: python tests/js/sweep_fixture.py"
    assert message == encode(fixture.build(), fixture.PLAYER), how
    assert fixture.EXPECTED.read_text("utf-8") == fixture.expected(message), how


def test_points_outside_the_view_stay_outside() -> None:
    panel = make_panel(n=1, points=np.array([[1e6, -1e6]]), classes=np.array([0]))
    x, y = decode(encode(make_sweep((panel,)))).panels[0].points[0]
    assert x > VIEW[1]
    assert y < VIEW[2]


def test_another_version_is_refused() -> None:
    payload = encode(make_sweep()).replace(b'"version": 1', b'"version": 9')
    with pytest.raises(ValueError, match="version 9"):
        decode(payload)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"points": np.zeros((5, 3))}, "two columns"),
        ({"points": np.full((5, 2), np.nan)}, "not finite"),
        ({"classes": np.zeros(4, dtype=int)}, "5 points need 5 classes"),
        ({"texts": ("one",)}, "5 points need 5 texts"),
        ({"overlay": ((),)}, "overlay has 1 frames"),
        ({"marker_sizes": np.zeros((3, 4))}, "3 x 5"),
        ({"marker_sizes": np.full((3, 5), 2.0)}, "between 0 and 1"),
        ({"marker_sizes": np.full((3, 5), np.nan)}, "between 0 and 1"),
    ],
)
def test_panels_that_do_not_fit(changes, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_panel(**changes)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"levels": ()}, "at least one level"),
        ({"labels": ("a",)}, "3 levels need 3 labels"),
        ({"captions": ()}, "3 levels need 3 captions"),
        ({"start": 3}, "only 0 to 2"),
        ({"class_names": ()}, "1 to 7 classes"),
        ({"class_names": ("one",)}, "from 0 to 0"),
        ({"loop": "spin"}, "'bounce' or 'wrap'"),
        ({"frames_per_second": 0}, "not zero"),
        ({"view": (0, 0, 0, 1)}, "xmin < xmax"),
        ({"view": (0, np.inf, 0, 1)}, "must be finite"),
        ({"view": (0.0, 0.1, 0.0, 0.1)}, "more than half its size"),
        ({"levels": (0.1,), "labels": ("a",), "captions": ("b",)}, "3 frames for 1 levels"),
    ],
)
def test_sweeps_that_do_not_fit(changes, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_sweep(**changes)
