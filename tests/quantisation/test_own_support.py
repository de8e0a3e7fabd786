"""Training rows in the sets of weighted centres."""

import numpy as np
import pytest

from nestviz import OneClassPath, ParzenLevelSets, make_sample
from nestviz.quantisation.own_support import OwnSupport, own_levels
from nestviz.quantisation.row_centres import row_centres
from nestviz.quantisation.sources import Part


def test_a_row_supports_itself_as_a_training_point_does():
    """Two centres of two rows each: fields with the own kernel moved to the row, by hand."""
    X = np.array([[0.0, 0.0], [0.4, 0.0], [3.0, 0.0], [3.0, 0.6]])
    found = row_centres(X, None, 2, 0)
    family = ParzenLevelSets(0.5).fit(found.centres, sample_weight=found.weights).family_
    values = OwnSupport.of(family, found.centres, found.weights).values(X, found.cell)
    for row, at in enumerate(found.cell):
        moved = family.kernel.gram(found.centres, X[[row]])[:, 0]
        moved[at] = (moved[at] + 1.0) / 2.0
        np.testing.assert_allclose(values[row], moved)


@pytest.mark.parametrize("join", [False, True])
def test_coincident_rows_enter_as_in_the_full_solution(join):
    """Rows at few locations are their centres: nothing is approximated."""
    places = make_sample("ring", n=30, random_state=0).X
    X = places[np.random.default_rng(0).integers(0, 30, 400)]
    found = row_centres(X, None, 30, 0)
    few = OneClassPath(sigma=0.6).fit(found.centres, sample_weight=found.weights).family_
    full = OneClassPath(sigma=0.6).fit(X).family_
    few, full = (family.union() if join else family for family in (few, full))
    support = OwnSupport.of(few, found.centres, found.weights)
    part = Part(X, None, np.ones(len(X)))
    np.testing.assert_allclose(
        own_levels(part, support, found.cells), full.first_level(X), rtol=1e-6
    )
