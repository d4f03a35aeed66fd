"""The two texts of a pair are told apart by their places."""

from __future__ import annotations

import pytest

from readhead.data.batch import Batch
from readhead.models.read import pair
from tests import laws


def test_the_first_text_is_the_first_one_read() -> None:
    batch = laws.make_batch(2)
    premise, hypothesis = batch.texts.values()
    (first, one), (second, other) = pair(Batch({"candidate": hypothesis, "question": premise}))
    assert (first, second) == ("candidate", "question")
    assert one is hypothesis and other is premise


@pytest.mark.parametrize("fields", [("text",), ("one", "two", "three")])
def test_another_number_of_texts_is_no_pair(fields: tuple[str, ...]) -> None:
    text = laws.make_batch(2).texts["premise"]
    with pytest.raises(ValueError):
        pair(Batch(dict.fromkeys(fields, text)))
