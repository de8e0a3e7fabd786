import numpy as np

from nestviz import Grid, OneClassPath, ParzenLevelSets, make_sample
from nestviz.analysis.tree.pixel_outlines import entry_field, labelled_outlines
from nestviz.analysis.tree.pixel_tree import label_parts, label_pixels


def area(ring):
    x, y = ring[:, 0], ring[:, 1]
    return abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2


def test_parts_carry_the_labels_of_their_points():
    X = np.array([[0.0, 0.0], [0.1, 0.0], [4.0, 0.0], [4.1, 0.1]])
    labels = np.array([0, 0, 1, 1])
    family = ParzenLevelSets(0.4).fit(X).family_
    grid = Grid.around(X, resolution=90, margin=0.5)
    field = entry_field(family.first_level(grid), 0.2).reshape(grid.shape)
    pixels = label_parts(field > 0, grid, X, labels)
    parts = labelled_outlines(field, pixels, grid)
    assert sorted(label for label, _ in parts) == [0, 1]
    for label, rings in parts:
        assert len(rings) == 1
        inside = X[labels == label].mean(axis=0)
        assert np.allclose(rings[0].mean(axis=0), inside, atol=0.1)


def test_a_hole_is_a_second_ring_of_the_same_part():
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    family = ParzenLevelSets(0.2).fit(X).family_
    grid = Grid.around(X, resolution=100, margin=0.4)
    field = entry_field(family.first_level(grid), 0.05).reshape(grid.shape)
    ((label, (outer, hole)),) = labelled_outlines(
        field, label_parts(field > 0, grid, X, np.zeros(40, int)), grid
    )
    assert label == 0
    assert area(outer) > np.pi > area(hole)


def test_the_field_has_the_sign_of_membership_in_the_union():
    X = make_sample("ring", random_state=0, n=60).X
    family = OneClassPath(0.4).fit(X).family_
    grid = Grid.around(X, resolution=30)
    entry = family.first_level(grid)
    known = np.unique(entry[np.isfinite(entry)])
    # Between the entry levels, not on them: there rounding would decide.
    for level in ((known[1:] + known[:-1]) / 2)[::25]:
        field = entry_field(entry, float(level))
        assert np.isfinite(field).all()
        assert np.array_equal(field > 0, family.union().contains(grid, float(level)))


def test_labels_of_known_pixels_are_those_of_the_family():
    X = make_sample("multi", random_state=0, n=60).X
    family, grid = ParzenLevelSets(0.4).fit(X).family_, Grid.around(X, resolution=40)
    labels = np.arange(60) % 3
    inside = family.contains(grid, 0.05).reshape(grid.shape)
    assert np.array_equal(
        label_parts(inside, grid, X, labels), label_pixels(family, grid, X, labels, 0.05)
    )
