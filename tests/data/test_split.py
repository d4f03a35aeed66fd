from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from readhead.data.split import hold_out

_LABELS = st.lists(st.sampled_from("abc"), min_size=1, max_size=60)


def alone(labels: list[str]) -> list[str]:
    return [str(position) for position in range(len(labels))]


def test_every_label_gives_its_part() -> None:
    labels = ["a"] * 100 + ["b"] * 50 + ["c"] * 4
    chosen = hold_out(labels, alone(labels), fraction=0.1, seed=0)
    assert Counter(labels[i] for i in chosen) == {"a": 10, "b": 5, "c": 1}


def test_a_group_is_never_parted() -> None:
    labels = ["e", "n", "c"] * 40
    groups = [f"premise {position // 3}" for position in range(120)]
    chosen = hold_out(labels, groups, fraction=0.1, seed=0)
    assert len(chosen) == 12
    assert {groups[i] for i in chosen}.isdisjoint(groups[i] for i in range(120) if i not in chosen)


def test_the_seed_decides_and_nothing_else() -> None:
    labels = ["a", "b"] * 50
    first, again, other = (hold_out(labels, alone(labels), fraction=0.2, seed=seed) for seed in (1, 1, 2))
    assert first == again != other


def test_one_group_cannot_be_spared() -> None:
    assert hold_out(["a", "b", "a", "b"], ["same"] * 4, fraction=0.5, seed=0) == frozenset()


@given(_LABELS, st.data(), st.floats(0.01, 0.99), st.integers(0, 5))
def test_what_is_asked_can_be_learnt_and_groups_stay_whole(
    labels: list[str], data: st.DataObject, fraction: float, seed: int
) -> None:
    n = len(labels)
    groups = data.draw(st.lists(st.sampled_from("pqrstuvw"), min_size=n, max_size=n))
    chosen = hold_out(labels, groups, fraction=fraction, seed=seed)
    kept = set(range(n)) - chosen
    assert {labels[i] for i in chosen} <= {labels[i] for i in kept}
    assert {groups[i] for i in chosen}.isdisjoint(groups[i] for i in kept)


@given(_LABELS, st.floats(0.01, 0.5), st.integers(0, 5))
def test_single_examples_come_within_one_of_the_fraction(labels: list[str], fraction: float, seed: int) -> None:
    taken = Counter(labels[i] for i in hold_out(labels, alone(labels), fraction=fraction, seed=seed))
    for label, count in Counter(labels).items():
        assert abs(taken[label] - fraction * count) <= 1
