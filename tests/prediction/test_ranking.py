"""A run that ranks: what is answered, explained and measured agrees, and bad records are told."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from readhead import recipe
from readhead.data.corpora.wikiqa import WikiQA
from readhead.errors import InputError
from readhead.explain.record import Explanation, Relevance
from readhead.prediction.evaluation import evaluate_file, evaluate_split
from readhead.prediction.predictor import Predictor
from readhead.prediction.ranking import ranked
from readhead.prediction.records import Form, line_chunks, parse, read_lines
from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train

FIXTURES = Path(__file__).parents[1] / "fixtures"
OWN, CORPORA = FIXTURES / "own", FIXTURES / "corpora"
FORM = Form(("question", "candidate"), "candidate")
CANDIDATES = ["The bees are kept by two sisters.", "It rains.", "The lake is deep.", "It rains."]


def trained(folder: Path, name: str, *changes: str) -> Predictor:
    small = ["vectors.dim=8", "model.hidden_dim=8", "training.epochs=4", "optimizer.learning_rate=0.01"]
    chosen = recipe.read(name, [f"corpus.train={OWN / 'questions.csv'}", "corpus.dev_fraction=0.3", *small, *changes])
    train(Request(recipe=chosen, out=folder / "run", corpora=folder, device="cpu", quiet=True))
    return Predictor(run=Run.open(folder / "run"))


@pytest.fixture(scope="module")
def predictor(tmp_path_factory: pytest.TempPathFactory) -> Predictor:
    return trained(tmp_path_factory.mktemp("ranked"), "rank/decomposable", "text.max_tokens=10")


def answers_to(predictor: Predictor, *records: Any) -> list[dict[str, Any]]:
    lines = "".join((record if isinstance(record, str) else json.dumps(record)) + "\n" for record in records)
    chunks = read_lines(line_chunks(io.BytesIO(lines.encode())), predictor.form)
    return [answer for answers in predictor.stream(chunks) for answer in answers]


def test_candidates_come_back_best_first(predictor: Predictor) -> None:
    (answer,) = answers_to(predictor, {"question": "Who keeps the bees?", "candidates": CANDIDATES})
    ranking = answer["ranking"]
    assert sorted(entry["place"] for entry in ranking) == [0, 1, 2, 3]
    assert all(entry["candidate"] == CANDIDATES[entry["place"]] for entry in ranking)
    scores = [entry["score"] for entry in ranking]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)
    equal = [entry["place"] for entry in ranking if entry["candidate"] == "It rains."]
    assert equal == [1, 3], "of equal candidates the one given first goes first"
    assert predictor.ranking("Who keeps the bees?", CANDIDATES) == ranking


def test_a_list_is_ranked_as_its_candidates_are_one_by_one(predictor: Predictor) -> None:
    alone = {
        text: predictor.answers([{"question": "How deep is it?", "candidate": text}])[0]["score"] for text in CANDIDATES
    }
    for entry in predictor.ranking("How deep is it?", CANDIDATES):
        assert entry["score"] == pytest.approx(alone[entry["candidate"]], abs=1e-6)


def test_an_empty_list_has_an_empty_ranking_and_bad_lines_an_error(predictor: Predictor) -> None:
    told = answers_to(
        predictor,
        {"question": "who?", "candidates": []},
        {"question": "who?", "candidates": ["a", None]},
        {"question": "who?", "candidates": "a"},
        {"question": "who?"},
        {"question": ["who?"], "candidates": ["a"]},
        "nonsense",
        {"question": "", "candidates": ["", "word " * 11]},
    )
    assert told[0] == {"ranking": []}
    wrong = [answer["error"] for answer in told[1:6]]
    assert [answer["line"] for answer in told[1:6]] == [2, 3, 4, 5, 6]
    assert wrong[0] == 'the field "candidates" must be a list of strings, but its entry 2 is null'
    assert wrong[1] == 'the field "candidates" must be a list of strings, not a string'
    assert wrong[2] == 'the field "candidates" is missing; expected an object with "question", "candidates"'
    assert wrong[3] == 'the field "question" must be a string, not a list'
    assert wrong[4].startswith("not valid JSON")
    assert [entry.get("truncated") for entry in sorted(told[6]["ranking"], key=lambda entry: entry["place"])] == [
        None,
        ["candidate"],
    ]


class Endless(io.BytesIO):
    """A stream of questions that never ends, and remembers how much was taken."""

    taken = 0

    def read1(self, size: int | None = -1, /) -> bytes:
        assert size is not None and size > 0
        self.taken += size
        line = json.dumps({"question": "who?", "candidates": CANDIDATES}).encode() + b"\n"
        return line * (size // len(line) + 1)


def test_streaming_reads_no_further_than_it_answers(predictor: Predictor) -> None:
    stream = Endless()
    answers = predictor.stream(read_lines(line_chunks(stream), predictor.form))
    assert all(len(answer["ranking"]) == 4 for answer in next(answers))
    assert stream.taken < 10**6


def test_what_else_a_record_holds_stays_with_it() -> None:
    line = json.dumps({"question": "who?", "candidates": ["a"], "tag": 3})
    asked = parse(line, 1, FORM)
    assert (asked.texts, asked.asked) == ([{"question": "who?", "candidate": "a"}], {"tag": 3})


def test_probabilities_that_round_to_one_are_ranked_by_their_logits() -> None:
    texts = [{"candidate": name} for name in "abc"]
    answers = [{"score": 1.0, "logit": logit} for logit in (50.0, 60.0, 50.0)]
    assert [entry["candidate"] for entry in ranked(texts, answers, "candidate")] == ["b", "a", "c"]


def test_a_model_reads_the_candidate_first(predictor: Predictor) -> None:
    explanation = predictor.explain({"question": "Who keeps the bees?", "candidate": "Two sisters."})
    assert list(explanation.texts) == ["question", "candidate"], "shown as people give them"
    assert list(explanation.attention) == ["candidate->question", "question->candidate"]
    shapes = {name: weights.shape for name, weights in explanation.attention.items()}
    assert shapes == {"candidate->question": (4, 6), "question->candidate": (6, 4)}


def test_an_explanation_answers_as_a_ranking_does(predictor: Predictor) -> None:
    explanation = predictor.explain({"question": "Who keeps the bees?", "candidate": CANDIDATES[0]})
    (entry,) = predictor.ranking("Who keeps the bees?", CANDIDATES[:1])
    assert isinstance(explanation.answer, Relevance)
    assert explanation.answer.score == entry["score"]
    again = Explanation.from_json(explanation.to_json()).answer
    assert isinstance(again, Relevance)
    assert again.score == pytest.approx(entry["score"], abs=1e-6)


def test_evaluation_is_what_training_watched_and_what_trec_eval_says(predictor: Predictor) -> None:
    from ir_measures import AP, RR, Qrel, ScoredDoc, calc_aggregate

    run = predictor.run
    measured = evaluate_split(run, "dev", corpora=OWN)
    assert measured.report.metrics["map"] == pytest.approx(run.record.best["value"])
    rows = [(str(e.group), str(e.id), e) for e in measured.examples]
    told = predictor.answers([e.texts for *_, e in rows])
    answered = {group for group, _, e in rows if e.label == "1"}
    judged = [Qrel(group, name, int(str(e.label))) for group, name, e in rows if group in answered]
    scored = [ScoredDoc(group, name, answer["logit"]) for (group, name, _), answer in zip(rows, told, strict=True)]
    expected = calc_aggregate([AP, RR], judged, [doc for doc in scored if doc.query_id in answered])
    assert measured.report.metrics["map"] == pytest.approx(expected[AP], abs=1e-6)
    assert measured.report.metrics["mrr"] == pytest.approx(expected[RR], abs=1e-6)
    assert measured.report.counts["questions"] == len(answered)


def test_a_file_of_ones_own_is_evaluated_whatever_its_format(predictor: Predictor) -> None:
    by_format = [evaluate_file(predictor.run, OWN / f"questions.{ending}") for ending in ("csv", "tsv", "jsonl")]
    assert [measured.report.counts for measured in by_format] == [{"questions": 7, "left_out": 1}] * 3
    assert by_format[0].report.metrics == by_format[1].report.metrics == by_format[2].report.metrics


def test_a_file_in_which_nothing_can_be_ranked_is_refused(predictor: Predictor, tmp_path: Path) -> None:
    file = tmp_path / "wrong.csv"
    file.write_text("question,candidate,label\na,b,0\na,c,0\n")
    with pytest.raises(InputError, match=r"wrong.csv: no question has a right candidate \(label 1\)"):
        evaluate_file(predictor.run, file)


def test_wikiqa_is_trained_on_and_scored(tmp_path: Path) -> None:
    document = recipe.parse(recipe.find("rank/lstm"))
    document["corpus"] = {"kind": "wikiqa"}
    small = ("vectors.dim=8", "reader.hidden_dim=8", "model.hidden_dim=8", "training.epochs=1")
    chosen = recipe.changed(document, small, name="tiny")
    train(Request(recipe=chosen, out=tmp_path / "run", corpora=CORPORA, device="cpu", quiet=True))
    run = Run.open(tmp_path / "run")
    measured = evaluate_split(run, "test", corpora=CORPORA)
    assert measured.report.counts == {"questions": 2, "left_out": 1}
    assert not run.record.complete_data, "the fixture is not WikiQA"
    assert len(measured.examples) == sum(1 for _ in WikiQA().read("test", CORPORA))


def test_a_dev_file_without_an_answer_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    dev = tmp_path / "dev.csv"
    dev.write_text("question,candidate,label\na,b,0\na,c,0\n")
    with pytest.raises(InputError, match=r"dev.csv: the dev split: no question has a right candidate"):
        trained(tmp_path, "rank/decomposable", f"corpus.dev={dev}")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("section", "given", "told"),
    [
        ("task", {"kind": "pair"}, "the task reads premise, hypothesis, but the corpus gives question, candidate"),
        (
            "model",
            {"kind": "classifier"},
            "the model reads 1 at once, but the corpus gives 2 texts, question, candidate",
        ),
    ],
)
def test_parts_that_do_not_fit_are_told(tmp_path: Path, section: str, given: dict[str, str], told: str) -> None:
    document = recipe.parse(recipe.find("rank/lstm"))
    document["corpus"] |= {"train": str(OWN / "questions.csv"), "dev_fraction": 0.3}
    document[section] = given
    chosen = recipe.check(document, name="mixed")
    with pytest.raises(InputError, match=told):
        train(Request(recipe=chosen, out=tmp_path / "run", corpora=tmp_path, device="cpu", quiet=True))
    assert not (tmp_path / "run").exists()
