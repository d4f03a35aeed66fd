"""WikiQA, on questions of our own in its format."""

from __future__ import annotations

from pathlib import Path

import pytest

from readhead.data.corpora.wikiqa import WikiQA
from readhead.data.sources import SOURCES
from readhead.errors import InputError

CORPORA = Path(__file__).parents[2] / "fixtures" / "corpora"
HEADER = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel\n"
GOOD = "Q1\twho sings\tD1\tA\tD1-0\tThe baker sings .\t1\n"


def refused(directory: Path, content: str) -> tuple[str, int | None]:
    path = directory / "wikiqa" / "WikiQA-dev.tsv"
    path.parent.mkdir(parents=True)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        list(WikiQA().read("dev", directory))
    assert caught.value.file == path
    assert "\n" not in caught.value.message
    return caught.value.message, caught.value.line


def test_it_says_what_it_is() -> None:
    corpus = WikiQA()
    assert (corpus.fields, corpus.labels) == (("question", "candidate"), ("0", "1"))
    assert (corpus.splits, corpus.complete) == (("train", "dev", "test"), True)
    assert corpus.sizes == {"train": 20_360, "dev": 2_733, "test": 6_165}
    assert WikiQA(questions="answered").sizes["train"] == 8_672
    named = {path.relative_to(CORPORA).as_posix() for path in corpus.files(CORPORA).values()}
    assert named == {*SOURCES["wikiqa"].files}
    assert corpus.files(None) == {}


def test_a_row_is_a_question_with_one_candidate() -> None:
    rows = {example.origin: example for example in WikiQA().read("train", CORPORA)}
    row = rows["WikiQA-train.tsv:3"]
    assert row.texts["question"] == "how is cork harvested ?"
    assert str(row.texts["candidate"]).startswith("Cutters peel")
    assert (row.label, row.group, row.id) == ("1", "Q1", "D1-1")


def test_quotes_are_plain_characters() -> None:
    candidates = [str(example.texts["candidate"]) for example in WikiQA().read("train", CORPORA)]
    assert 'Its acorns feed "black" pigs .' in candidates
    assert '"Dormouse" may come from a word for sleeping' in candidates


@pytest.mark.parametrize(("questions", "count", "dropped"), [("all", 17, 0), ("answered", 14, 3)])
def test_questions_without_an_answer_are_trained_on_or_not(questions: str, count: int, dropped: int) -> None:
    corpus = WikiQA(questions=questions)  # type: ignore[arg-type]
    for _ in range(2):  # the count starts again with the reading
        assert sum(1 for _ in corpus.read("train", CORPORA)) == count
        assert corpus.dropped["train"] == dropped
    assert sum(1 for _ in corpus.read("dev", CORPORA)) == 7
    assert sum(1 for _ in corpus.read("test", CORPORA)) == 7
    assert corpus.dropped["dev"] == corpus.dropped["test"] == 0


@pytest.mark.parametrize(
    ("content", "told", "line"),
    [
        (HEADER.replace("SentenceID\t", ""), "only a header", 1),
        (HEADER.replace("\tLabel", "") + GOOD.replace("\t1\n", "\n"), "no column 'Label'; found QuestionID", 1),
        (HEADER + GOOD + GOOD.replace("\t1\n", "\tyes\n"), "'Label' is 'yes'; expected 0 or 1", 3),
        (HEADER + GOOD + GOOD.replace("\t1\n", "\t\n"), "'Label' is ''; expected 0 or 1", 3),
        (HEADER + GOOD + "Q1\twho sings\tD1\tA\tD1-1\tThe sai", "6 fields where the header has 7", 3),
        ("", "nothing to read here", None),
    ],
    ids=["header alone", "no label column", "another label", "no label", "cut line", "empty"],
)
def test_what_is_wrong_is_told_by_file_and_line(tmp_path: Path, content: str, told: str, line: int | None) -> None:
    message, where = refused(tmp_path, content)
    assert told in message
    assert where == line


@pytest.mark.parametrize("directory", [None, Path("/nowhere")])
def test_a_missing_file_is_named_with_the_way_to_get_it(directory: Path | None) -> None:
    with pytest.raises(
        InputError, match=r"readhead data fetch wikiqa.*--corpora DIR names the folder that holds wikiqa/"
    ):
        WikiQA().read("dev", directory)


def test_an_unknown_split_is_told_the_known_ones() -> None:
    with pytest.raises(InputError, match="no split 'valid'; expected one of train, dev, test"):
        WikiQA().read("valid", CORPORA)
