from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.explain.clusters import Cluster, Node, clusters
from readhead.explain.links import Link, by_row, carried, strongest, written


def arrows(*targets: int | None) -> list[Link]:
    return [Link(word, target, 0.5) for word, target in enumerate(targets) if target is not None]


def test_a_star_is_one_cluster_with_a_row_for_each_leaf() -> None:
    # 0, 2 and 3 look at 1, which looks at 2: the circle 1-2 is cut at 1, where most arrows lead to.
    (found,) = clusters(4, arrows(1, 2, 1, 1), deepest=5)
    assert found == Cluster([Node(1, 0, 1.0), Node(0, 1, 0), Node(2, 1, 1), Node(3, 1, 2)], beyond=2, rows=3)


def test_a_word_without_an_arrow_is_a_root() -> None:
    large, small = clusters(3, arrows(None, 0, None), deepest=5)
    assert [node.word for node in large.nodes] == [0, 1] and large.beyond is None
    assert small == Cluster([Node(2, 0, 0)], beyond=None, rows=1)


def test_a_chain_is_cut_where_it_is_too_deep() -> None:
    found = clusters(5, arrows(None, 0, 1, 2, 3), deepest=2)
    assert [([node.word for node in one.nodes], one.beyond) for one in found] == [([0, 1], None), ([2, 3], 1), ([4], 3)]


@given(st.lists(st.integers(0, 11), min_size=12, max_size=12), st.integers(2, 5))
def test_every_word_is_drawn_once_and_every_arrow_leads_somewhere(targets: list[int], deepest: int) -> None:
    links = [Link(word, target, 0.5) for word, target in enumerate(targets) if word != target]
    found = clusters(12, links, deepest=deepest)
    assert sorted(node.word for cluster in found for node in cluster.nodes) == list(range(12))
    target = {link.row: link.column for link in links}
    for cluster in found:
        root, *others = cluster.nodes
        depths = {node.word: node.depth for node in cluster.nodes}
        assert (root.depth, target.get(root.word)) == (0, cluster.beyond)
        assert all(depths[target[node.word]] == node.depth - 1 for node in others)
        assert max(depths.values()) < deepest
        rows = [(node.depth, node.row) for node in cluster.nodes]
        assert len(set(rows)) == len(rows) and all(0 <= row <= cluster.rows - 1 for _, row in rows)


def test_the_strongest_links_of_each_row() -> None:
    weights = np.array([[0.5, 0.04, 0.3, 0.16], [0.25, 0.25, 0.25, 0.25], [0.0, 0.0, 0.0, 0.0]])
    links = strongest(weights)
    assert links == [Link(0, 0, 0.5), Link(0, 2, 0.3), Link(0, 3, 0.16), *(Link(1, n, 0.25) for n in range(3))]
    assert carried(weights, links) == pytest.approx((0.96 + 0.75) / 2)
    assert [len(own) for own in by_row(links, 3)] == [3, 3, 0]
    assert carried(np.zeros((2, 2)), []) == 1


@pytest.mark.parametrize(("weight", "told"), [(0.05, ".05"), (0.994, ".99"), (0.996, "1.0"), (1.0, "1.0")])
def test_a_weight_as_it_is_written(weight: float, told: str) -> None:
    assert written(weight) == told
