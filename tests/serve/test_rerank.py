"""/v1/rerank: candidates in order, in our own words or in those of other rerankers."""

from __future__ import annotations

import pytest

from tests.serve.running import Running
from tests.serve.small_runs import QUESTION

ASKED = {"query": QUESTION["question"], "documents": QUESTION["candidates"], "model": "rank"}


def test_it_is_the_ranking_of_predict(served: Running) -> None:
    told = served.ask("/v1/rerank?model=rank", QUESTION).json
    right = served.ask("/v1/predict?model=rank", QUESTION).json
    assert [entry["place"] for entry in told["ranking"]] == [entry["place"] for entry in right["ranking"]]
    for ours, theirs in zip(told["ranking"], right["ranking"], strict=True):
        assert ours["score"] == pytest.approx(theirs["score"], abs=1e-5)
    assert len(served.ask("/v1/rerank", {**QUESTION, "model": "rank", "top_n": 2}).json["ranking"]) == 2


def test_who_asks_with_documents_gets_results(served: Running) -> None:
    ours = served.ask("/v1/rerank?model=rank", QUESTION).json["ranking"]
    theirs = served.ask("/v1/rerank", {**ASKED, "return_documents": True}).json["results"]
    assert [(one["index"], one["document"]["text"]) for one in theirs] == [(o["place"], o["candidate"]) for o in ours]
    assert [one["relevance_score"] for one in theirs] == pytest.approx([one["score"] for one in ours], abs=1e-5)
    (best,) = served.ask("/v1/rerank", {**ASKED, "documents": [{"text": "never"}, "by the sea"], "top_k": 1}).json[
        "results"
    ]
    assert best.keys() == {"index", "relevance_score"}


def test_without_candidates_there_is_no_ranking(served: Running) -> None:
    assert served.ask("/v1/rerank?model=rank", {"question": "a", "candidates": []}).json == {"ranking": []}
