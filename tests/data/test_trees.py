from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.data.trees import words_of


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
