"""SNLI, MultiNLI and the mixture, on pairs of our own in their formats."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from readhead.data.corpora.corpus import Corpus
from readhead.data.corpora.multinli import MultiNLI
from readhead.data.corpora.nli_mixture import NLIMixture
from readhead.data.corpora.snli import SNLI
from readhead.errors import InputError

FIXTURES = Path(__file__).parents[2] / "fixtures"
JSONL, TXT = FIXTURES / "corpora", FIXTURES / "corpora-txt"
GOOD = {
    "gold_label": "neutral",
    "sentence1": "It rains.",
    "sentence2": "It pours.",
    "sentence1_binary_parse": "( It rains )",
    "sentence2_binary_parse": "( It pours )",
}


def one_line_corpus(directory: Path, line: Mapping[str, object]) -> Path:
    (directory / "snli").mkdir()
    (directory / "snli" / "snli_1.0_dev.jsonl").write_text(json.dumps(line) + "\n")
    return directory


@pytest.mark.parametrize("directory", [JSONL, TXT])
@pytest.mark.parametrize(
    ("corpus", "split", "pairs", "dropped"),
    [
        (SNLI(), "train", 30, 2),
        (SNLI(), "dev", 21, 2),
        (SNLI(), "test", 21, 1),
        (MultiNLI(), "train", 27, 1),
        (MultiNLI(), "dev_matched", 21, 2),
        (MultiNLI(), "dev_mismatched", 15, 1),
    ],
)
def test_pairs_without_an_agreed_label_are_dropped_and_counted(
    corpus: Corpus, split: str, pairs: int, dropped: int, directory: Path
) -> None:
    for _ in range(2):  # the count starts again with the reading
        examples = list(corpus.read(split, directory))
        assert (len(examples), corpus.dropped[split]) == (pairs, dropped)
    assert Counter(example.label for example in examples) == dict.fromkeys(corpus.labels, pairs // 3)


@pytest.mark.parametrize("text", ["sentence", "parse"])
@pytest.mark.parametrize(("make", "tags"), [(SNLI, set()), (MultiNLI, {"genre"})])
def test_jsonl_and_txt_say_the_same(make: type[SNLI] | type[MultiNLI], tags: set[str], text: str) -> None:
    corpus = make(text=text)  # type: ignore[arg-type]
    for split in corpus.splits:
        both = [list(corpus.read(split, directory)) for directory in (JSONL, TXT)]
        plain = [[(e.texts, e.label, e.tags) for e in examples] for examples in both]
        assert plain[0] == plain[1]
        assert set(both[0][0].tags) == tags


def test_a_pair_is_read_whole() -> None:
    first = next(iter(SNLI().read("train", JSONL)))
    assert first.texts == {
        "premise": "An old man in a straw hat mends a fishing net on the quay.",
        "hypothesis": "A man is working with his hands.",
    }
    assert (first.label, first.origin) == ("entailment", "snli_1.0_train.jsonl:1")


def test_the_parse_gives_words_with_brackets() -> None:
    pair = next(e for e in SNLI(text="parse").read("dev", JSONL) if "chef" in e.texts["premise"])
    words = "A chef slices onions ( very thin ) in a crowded kitchen ."
    assert pair.texts["premise"] == tuple(words.split())


def test_the_partial_training_file_is_read_only_when_named() -> None:
    assert not SNLI(train="partial").complete
    assert SNLI().complete
    examples = list(SNLI(train="partial").read("train", JSONL))
    assert (len(examples), examples[0].origin) == (24, "snli_1.0_train_partial.jsonl:1")
    assert SNLI(train="partial").files(JSONL)["train"].name == "snli_1.0_train_partial.jsonl"


def test_without_the_whole_training_file_the_part_is_pointed_at(tmp_path: Path) -> None:
    shutil.copytree(JSONL / "snli", tmp_path / "snli")
    (tmp_path / "snli" / "snli_1.0_train.jsonl").unlink()
    with pytest.raises(InputError, match=r'snli_1.0_train_partial.jsonl is there, which train = "partial"'):
        SNLI().read("train", tmp_path)
    assert sorted(SNLI().files(tmp_path)) == ["dev", "test"]


def test_the_mixture_is_scored_on_the_corpora_it_is_mixed_from() -> None:
    mixture = NLIMixture()
    read = {split: list(mixture.read(split, JSONL)) for split in mixture.splits}
    assert {split: len(examples) for split, examples in read.items()} == {
        "train": 30,
        "dev": 21,
        "test": 21,
        "multinli_matched": 21,
    }
    assert Counter(e.tags["source"] for e in read["train"]) == {
        "snli": 15,
        "multinli": 9,
        "semi-automatic": 2,
        "lingnli": 2,
        "cad": 2,
    }
    assert read["dev"] == list(SNLI().read("dev", JSONL))
    assert not mixture.complete


def test_parts_of_the_mixture_can_be_left_out() -> None:
    mixture = NLIMixture(sources=("snli", "cad"))
    assert Counter(e.tags["source"] for e in mixture.read("train", JSONL)) == {"snli": 15, "cad": 2}
    assert mixture.dropped["train"] == 13
    assert len(list(mixture.read("dev", JSONL))) == 21
    with pytest.raises(InputError, match=r"\[corpus\] sources: no source 'sick'; expected some of snli, multinli"):
        NLIMixture(sources=("snli", "sick"))


def test_the_labels_of_each_source_can_be_evened_out(tmp_path: Path) -> None:
    labels = {"snli": "eeeenc", "cad": "ncc"}
    (tmp_path / "nli-mixture").mkdir()
    rows = [
        {
            "gold_label": next(name for name in SNLI.labels if name[0] == label),
            "source": source,
            "sentence1": "",
            "sentence2": str(n),
        }
        for source, some in labels.items()
        for n, label in enumerate(some)
    ]
    (tmp_path / "nli-mixture" / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    read = list(NLIMixture(balanced=True).read("train", tmp_path))
    assert Counter((e.tags["source"], str(e.label)[0]) for e in read) == {
        **{("snli", label): 4 for label in "enc"},
        **{("cad", label): 2 for label in "nc"},
    }
    assert [e.texts["hypothesis"] for e in read] == [*"012345", *"012", *"444", *"555", "0"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"gold_label": "maybe"},
            "unknown gold_label 'maybe'; expected entailment, neutral, contradiction, or -",
        ),
        ({"gold_label": None}, "no 'gold_label'"),
        ({"sentence2": 7}, "'sentence2' is a number; expected a string"),
        ({"sentence2_binary_parse": "( It"}, "'sentence2_binary_parse': the brackets"),
        ({"sentence1_binary_parse": None}, 'expected the parse, or text = "sentence"'),
    ],
)
def test_a_wrong_line_is_named(change: dict[str, object], words: str, tmp_path: Path) -> None:
    directory = one_line_corpus(tmp_path, GOOD | change)
    with pytest.raises(InputError) as caught:
        for text in ("sentence", "parse"):
            list(SNLI(text=text).read("dev", directory))
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{directory}/snli/snli_1.0_dev.jsonl:1: ")


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    line = {key: value for key, value in GOOD.items() if key != "sentence1"}
    with pytest.raises(InputError, match="no 'sentence1'; expected a string"):
        list(SNLI().read("dev", one_line_corpus(tmp_path, line)))


def test_a_short_row_of_the_txt_may_lack_annotators_but_no_sentence(tmp_path: Path) -> None:
    rows = (TXT / "snli" / "snli_1.0_dev.txt").read_text().splitlines()
    (tmp_path / "snli").mkdir()
    path = tmp_path / "snli" / "snli_1.0_dev.txt"
    path.write_text("\n".join([rows[0], *("\t".join(row.split("\t")[:-5]) for row in rows[1:])]))
    assert len(list(SNLI().read("dev", tmp_path))) == 21
    path.write_text("\n".join([*rows[:3], "\t".join(rows[3].split("\t")[:6])]))
    with pytest.raises(InputError, match="6 fields where the header has 14") as caught:
        list(SNLI().read("dev", tmp_path))
    assert caught.value.line == 4


@pytest.mark.parametrize("directory", [None, Path("/nowhere")])
def test_a_missing_file_is_named_with_the_way_to_get_it(directory: Path | None) -> None:
    with pytest.raises(InputError, match=r"readhead data fetch multinli.*--corpora DIR") as caught:
        MultiNLI().read("dev_matched", directory)
    assert str(caught.value).startswith(
        f"{directory or ''}{'/' if directory else ''}multinli/multinli_1.0_dev_matched."
    )
    assert MultiNLI().files(directory) == {}


def test_an_unknown_split_is_told_the_known_ones() -> None:
    with pytest.raises(InputError, match="no split 'valid'; expected one of train, dev, test"):
        SNLI().read("valid", JSONL)
