import subprocess
import sys

import numpy as np
import pytest

from nestviz.data import SAMPLES, DataError, Dataset, make_sample, sample_data_dir

PROMISED = ["mixture", "multi", "ring", "banana", "blobs", "moons", "circles", "cross"]
PROMISED += ["outliers", "bridge", "imbalanced"]
PROMISED += ["iris", "wine", "breast-cancer-wisconsin", "digits"]
BENCHMARK_SHAPES = {
    "banana": (5300, 2, 2376),
    "breast-cancer": (277, 9, 81),
    "diabetes": (768, 8, 268),
    "flare-solar": (1066, 9, 589),
    "german": (1000, 20, 300),
    "heart": (270, 13, 120),
    "image": (2310, 18, 1320),
    "ringnorm": (7400, 20, 3664),
    "splice": (3175, 60, 1527),
    "thyroid": (215, 5, 65),
    "titanic": (2201, 3, 711),
    "twonorm": (7400, 20, 3703),
    "waveform": (5000, 21, 1647),
}
SYNTHETIC = [name for name, sample in SAMPLES.items() if sample.kind == "synthetic"]


def test_registry_holds_what_is_promised():
    assert list(SAMPLES) == [*PROMISED, *(f"bench-{name}" for name in BENCHMARK_SHAPES)]
    for name, sample in SAMPLES.items():
        assert sample.name == name
        assert sample.sentence.endswith((".", "?"))
        assert "n" in {option.name for option in sample.options}


@pytest.mark.parametrize("name", SAMPLES)
def test_same_seed_same_bits(name):
    first, again = make_sample(name, random_state=5), make_sample(name, random_state=5)
    assert isinstance(first, Dataset)
    assert first == again
    assert first.labelled == SAMPLES[name].labelled
    assert first.provenance


@pytest.mark.parametrize("name", SYNTHETIC)
def test_seed_and_size_matter(name):
    assert (
        make_sample(name, random_state=1).fingerprint
        != make_sample(name, random_state=2).fingerprint
    )
    for n in (10, 11, 123):
        data = make_sample(name, random_state=1, n=n)
        assert data.X.shape == (n, 2)
        if data.labelled:
            assert 0 < data.positives < n


@pytest.mark.parametrize("name", SAMPLES)
def test_every_option_works_at_both_ends_and_not_beyond(name):
    for option in SAMPLES[name].options:
        assert option.minimum <= option.default <= option.maximum
        for value in (option.minimum, min(option.maximum, option.minimum + 50 * option.step)):
            assert make_sample(name, **{option.name: value}).n > 0
        for value in (option.minimum - 1, option.maximum + 1, np.nan, np.inf, "3"):
            with pytest.raises(DataError, match=f"Option '{option.name}'"):
                make_sample(name, **{option.name: value})
        if option.whole:
            with pytest.raises(DataError, match="whole number"):
                make_sample(name, **{option.name: option.minimum + 0.5})


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in SYNTHETIC])
def test_part_of_a_real_set_is_drawn_by_seed(name):
    part = make_sample(name, random_state=1, n=40)
    assert part.n == 40
    assert part == make_sample(name, random_state=1, n=40)
    assert part.fingerprint != make_sample(name, random_state=2, n=40).fingerprint


def test_unknown_names_are_sentences():
    with pytest.raises(DataError, match="no sample called 'spiral'"):
        make_sample("spiral")
    with pytest.raises(DataError, match="no option 'noise'"):
        make_sample("ring", noise=0.1)
    for seed in (-1, 0.5, "a", True):
        with pytest.raises(DataError, match="random_state"):
            make_sample("ring", random_state=seed)


@pytest.mark.parametrize(("name", "shape"), BENCHMARK_SHAPES.items())
def test_benchmark_shapes(name, shape):
    data = make_sample(f"bench-{name}")
    assert (data.n, data.d, data.positives) == shape
    (size,) = SAMPLES[f"bench-{name}"].options
    assert size.maximum == data.n


def test_mixture_follows_its_recipe():
    # Averaged over many draws the classes centre on (1, 0) and (0, 1), and the total
    # variance of a coordinate is that of a centre plus that of a point around it.
    draws = [make_sample("mixture", random_state=seed) for seed in range(200)]
    plus = np.array([draw.class_points(1).mean(axis=0) for draw in draws])
    minus = np.array([draw.class_points(-1).mean(axis=0) for draw in draws])
    np.testing.assert_allclose(plus.mean(axis=0), [1, 0], atol=0.1)
    np.testing.assert_allclose(minus.mean(axis=0), [0, 1], atol=0.1)
    pooled = np.concatenate([draw.class_points(1) for draw in draws])
    np.testing.assert_allclose(pooled.var(axis=0), 1.2, rtol=0.1)


def test_multi_has_three_clusters_of_unequal_weight():
    X = make_sample("multi", random_state=0, n=20_000).X
    means = np.array([[-1.5, -1.25], [1.75, -0.75], [-0.25, 2.0]])
    nearest = np.argmin(((X[:, None] - means) ** 2).sum(axis=2), axis=1)
    np.testing.assert_allclose(np.bincount(nearest) / len(X), [0.5, 0.3, 0.2], atol=0.02)
    spread = [X[nearest == k].std(axis=0) for k in range(3)]
    np.testing.assert_allclose(spread, 0.5, atol=0.025)


def test_ring_leaves_its_hole_empty():
    radius = np.linalg.norm(make_sample("ring", n=5000, offset=2.0, scale=0.5).X, axis=1)
    assert radius.min() > 2.0
    # The mean of a Rayleigh variable is its scale times the root of pi / 2.
    assert radius.mean() == pytest.approx(2.0 + 0.5 * np.sqrt(np.pi / 2), abs=0.02)


def test_shares_follow_their_options():
    assert make_sample("outliers", n=1000, fraction=0.2).positives == 800
    assert make_sample("imbalanced", n=1000, ratio=9).positives == 100
    data = make_sample("circles", n=2000, noise=0.0, ratio=0.4)
    np.testing.assert_allclose(np.linalg.norm(data.class_points(1), axis=1), 0.4)


def test_positive_class_of_real_sets():
    data = make_sample("iris", positive=2)
    assert data.positives == 50
    assert "Class 'virginica' counts as +1" in data.provenance[1]
    assert make_sample("breast-cancer-wisconsin").positives == 212
    assert make_sample("digits", positive=3).positives == 183
    assert make_sample("wine").feature_names[0] == "alcohol"


def test_sample_data_has_its_table_of_sources():
    table = (sample_data_dir() / "benchmarks" / "README.md").read_text(encoding="utf-8")
    for name, (n, d, positives) in BENCHMARK_SHAPES.items():
        assert f"| {name} | {n} | {d} | {positives} |" in table


def test_importing_data_loads_nothing_heavy():
    code = "import sys, nestviz.data; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"sklearn", "pandas", "pyarrow", "umap", "streamlit", "plotly", "python_calamine"}
    assert not heavy & set(done.stdout.split())
