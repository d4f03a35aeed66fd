from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.data.trees import Phrase, labelled_tree, words_of

LABELS = tuple("01234")


@pytest.mark.parametrize(
    ("parse", "words"),
    [
        ("( ( The dog ) ( ( does n't ) ( bark . ) ) )", ("The", "dog", "does", "n't", "bark", ".")),
        ("Rain", ("Rain",)),
        ("", ()),
        ("( a ( -LRB- ( b -RRB- ) ) )", ("a", "(", "b", ")")),
        ("( `` ( hi '' ) )", ('"', "hi", '"')),
        ("( smile :-RRB- )", ("smile", ":)")),
        ("( 3\u00a01/2 cups )", ("3\u00a01/2", "cups")),
        ("( rock 'n'roll )", ("rock", "'n'roll")),
        ("( either\\/or \\*\\* )", ("either/or", "**")),
    ],
)
def test_words_of_a_parse(parse: str, words: tuple[str, ...]) -> None:
    assert words_of(parse) == words


@pytest.mark.parametrize("parse", ["( ( The dog ) ( barks", "The dog ) (", "( a b ) )"])
def test_a_parse_that_was_cut_is_refused(parse: str) -> None:
    with pytest.raises(ValueError, match="do not match"):
        words_of(parse)


_WORD = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=5)


@given(st.recursive(_WORD, lambda tree: st.tuples(tree, tree), max_leaves=12))
def test_the_leaves_come_back_in_order(tree: object) -> None:
    def written(node: object) -> str:
        return f"( {written(node[0])} {written(node[1])} )" if isinstance(node, tuple) else str(node)

    def leaves(node: object) -> tuple[str, ...]:
        return leaves(node[0]) + leaves(node[1]) if isinstance(node, tuple) else (str(node),)

    assert words_of(written(tree)) == leaves(tree)


def test_a_labelled_tree_by_hand() -> None:
    tree = labelled_tree("(3 (2 A) (4 (3 fine) (2 day)))\r\n", labels=LABELS)
    assert tree.words == ("A", "fine", "day")
    assert tree.phrases == (
        Phrase("3", 0, 3),
        Phrase("2", 0, 1),
        Phrase("4", 1, 3),
        Phrase("3", 1, 2),
        Phrase("2", 2, 3),
    )


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("(2 Rain)", ("Rain",)),
        ("(2 (1 a) (2 b) (3 c))", ("a", "b", "c")),
        ("(2(1 a)(2   b))", ("a", "b")),
        ("(2 (2 -LRB-) (2 (2 a\\/b) (2 -RRB-)))", ("(", "a/b", ")")),
        ("(2 (2 ``) (2 (2 hi) (2 '')))", ('"', "hi", '"')),
        ("(2 (2 3\u00a01\\/2) (2 cups))", ("3\u00a01/2", "cups")),
    ],
)
def test_words_of_a_labelled_tree(written: str, words: tuple[str, ...]) -> None:
    tree = labelled_tree(written, labels=LABELS)
    assert tree.words == words
    assert tree.phrases[0] == Phrase("2", 0, len(words))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("(2 (2 a) (2 b)", "brackets still open at the end of the line: 1"),
        ("(2 (2 a", "brackets still open at the end of the line: 2"),
        ("", "brackets still open at the end of the line: 0; expected one whole tree"),
        ("(2 (2 a) (2 b)))", "')' stands outside the tree"),
        (")", "')' stands outside the tree"),
        ("2 (2 a)", "'2' stands outside the tree"),
        ("(2 a) more", "'more' stands outside the tree"),
        ("(2 a) (2 b)", "'(2' stands outside the tree; expected one whole tree a line"),
        ("(2 (2 a) ( b))", "a bracket without a label; expected one of 0, 1, 2, 3, 4 right behind"),
        ("((2 a) (2 b))", "a bracket without a label"),
        ("(2 (5 a) (2 b))", "label '5'; expected one of 0, 1, 2, 3, 4"),
        ("(2 (-1 a) (2 b))", "label '-1'"),
        ("(2 (22 a) (2 b))", "label '22'"),
        ("(good day)", "label 'good'"),
        ("(2 (2 a) (2))", "'(2)' is empty; expected a word"),
        ("(2 (2 a) (2 ))", "'(2)' is empty; expected a word"),
        ("(2 a b)", "the word 'b' has no label; expected each word in brackets of its own"),
        ("(2 (2 a) b)", "the word 'b' has no label"),
        ("(2 a (2 b))", "'(2' stands beside the word 'a'"),
    ],
)
def test_a_labelled_tree_that_is_wrong_is_told(written: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        labelled_tree(written, labels=LABELS)


def test_a_tree_may_be_deeper_than_python_calls() -> None:
    depth = 20_000
    tree = labelled_tree("(2 (1 x) " * depth + "(3 y)" + ")" * depth, labels=LABELS)
    assert tree.words == ("x",) * depth + ("y",)
    assert (tree.phrases[0], tree.phrases[-1]) == (Phrase("2", 0, depth + 1), Phrase("3", depth, depth + 1))


_LABELLED = st.tuples(st.sampled_from(LABELS), _WORD)


@given(st.recursive(_LABELLED, lambda tree: st.tuples(st.sampled_from(LABELS), tree, tree), max_leaves=12))
def test_every_phrase_comes_back_with_its_words(tree: object) -> None:
    def written(node: object) -> str:
        assert isinstance(node, tuple)
        label, *parts = node
        return f"({label} {' '.join(part if isinstance(part, str) else written(part) for part in parts)})"

    def leaves(node: object) -> tuple[str, ...]:
        return tuple(word for part in node[1:] for word in leaves(part)) if isinstance(node, tuple) else (str(node),)

    def phrases(node: object) -> Iterator[tuple[str, tuple[str, ...]]]:
        if isinstance(node, tuple):
            yield node[0], leaves(node)
            for part in node[1:]:
                yield from phrases(part)

    read = labelled_tree(written(tree), labels=LABELS)
    assert [(p.label, read.words[p.start : p.end]) for p in read.phrases] == list(phrases(tree))
