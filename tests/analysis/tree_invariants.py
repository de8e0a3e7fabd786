"""What a cluster tree must satisfy, whatever the data; used by every test that makes one."""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components


def check_tree(tree):
    """Every invariant of a tree, pruned or not, by its public face."""
    up = -tree.orientation
    birth, death, exits = up * tree.birth, up * tree.death, up * tree.exit
    n, nodes = len(tree.node_of), range(len(tree))
    members = [set(tree.members(k).tolist()) for k in nodes]
    assert np.all(birth < death)
    for k in nodes:
        children = tree.children(k)
        assert tree.size[k] == len(members[k]) > 0
        assert tree.mass[k] == len(members[k]) / n
        assert len(children) != 1
        assert np.all(birth[children] == death[k])
        assert (k in tree.leaves) == (len(children) == 0)
        for position, child in enumerate(children):
            assert members[child] < members[k]
            assert all(members[child].isdisjoint(members[other]) for other in children[:position])
        own = members[k].difference(*(members[child] for child in children))
        assert own == set(np.flatnonzero(tree.node_of == k).tolist())
        assert all(birth[k] < exits[p] <= death[k] for p in own)
        if not len(children):
            assert death[k] == max(exits[p] for p in own)
    check_forest(tree)
    for p in range(n):
        holding = [k for k in nodes if p in members[k]]
        chain = ancestors(tree, tree.node_of[p])
        assert holding == sorted(chain)
        assert np.isinf(exits[p]) == (not holding) or exits[p] == np.inf
    assert np.all(exits <= up * tree.entry)
    for level in levels_between(tree):
        check_cut(tree, level, members)


def check_forest(tree):
    """Roots are the parts of the largest solved set; what lives beyond it is extrapolated."""
    up, roots = -tree.orientation, tree.roots.tolist()
    hold = -np.inf if tree.hold_level is None else up * tree.hold_level
    assert np.array_equal(tree.extrapolated, up * tree.death < hold)
    inside = np.isfinite(tree.entry) & (up * tree.entry < hold)
    assert np.array_equal(tree.extrapolated_points, inside)
    if tree.hold_level is None:
        assert roots == np.flatnonzero(tree.parent < 0).tolist()
    else:
        assert roots == tree.nodes_at(tree.hold_level).tolist()
    for k in range(len(tree)):
        line = [m for m in ancestors(tree, k) if m in roots]
        assert len(line) == (not tree.extrapolated[k])
        assert all(tree.extrapolated[m] for m in ancestors(tree, k)[1:] if k in roots)
        if tree.extrapolated[k]:
            assert tree.stability[k] == 0
    assert not set(tree.select()) & set(np.flatnonzero(tree.extrapolated))
    table = tree.to_table()
    assert np.array_equal(np.flatnonzero(table["root"]), roots)
    assert np.array_equal(table["extrapolated"], tree.extrapolated)
    assert tree.to_newick().count("[&extrapolated=1]") == tree.extrapolated.sum()
    for above, _, attributes in tree.edges():
        assert attributes["extrapolated"] == tree.extrapolated[above]


def check_cut(tree, level, members):
    t, up = -tree.orientation * level, -tree.orientation
    nodes, labels = tree.nodes_at(level), tree.cut(level)
    for label, k in enumerate(nodes):
        assert up * tree.birth[k] < t or tree.parent[k] < 0
        assert t <= up * tree.death[k]
        inside = {p for p in members[k] if up * tree.exit[p] >= t}
        assert set(np.flatnonzero(labels == label).tolist()) == inside
    assert np.array_equal(labels >= 0, up * tree.exit >= t)


def ancestors(tree, node):
    chain = []
    while node >= 0:
        chain.append(int(node))
        node = tree.parent[node]
    return chain


def levels_between(tree):
    """Levels at, between and beyond all events, within the domain."""
    events = np.concatenate([tree.birth, tree.death, tree.exit, np.array(tree.domain)])
    events = np.unique(events[np.isfinite(events)])
    every = np.concatenate([events, (events[1:] + events[:-1]) / 2])
    return every[(every >= tree.domain[0]) & (every <= tree.domain[1])]


def components(heights, i, j, levels, t):
    """Connected components by definition, of closed sets; −1 for points that are below t."""
    keep = levels >= t
    graph = coo_matrix((np.ones(keep.sum()), (i[keep], j[keep])), shape=(len(heights),) * 2)
    labels = connected_components(graph, directed=False)[1]
    return np.where(heights >= t, labels, -1)


def same_partition(a, b):
    """Whether two labellings are the same up to names, with −1 for the same points."""
    pairs = set(zip(a.tolist(), b.tolist(), strict=True))
    one_to_one = len(pairs) == len({x for x, _ in pairs}) == len({y for _, y in pairs})
    return one_to_one and np.array_equal(a < 0, b < 0)
