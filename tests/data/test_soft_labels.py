"""Soft labels: a teacher's probabilities in columns `p_LABEL`."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch.nn import functional

from readhead.data.batch import Batch, Text
from readhead.data.check import check_file
from readhead.data.corpora.file import FileCorpus
from readhead.data.encoded import TokenisedSplit
from readhead.data.own_file import OwnFile
from readhead.data.tokenizer import Tokenizer
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.models.output import Output
from readhead.tasks.classification import TextClassification


def written(folder: Path, *rows: str, header: str = "text,p_bad,p_good,p_odd") -> Path:
    path = folder / "own.csv"
    path.write_text("\n".join((header, *rows)) + "\n")
    return path


def test_the_label_is_the_likeliest_and_sums_are_made_1(tmp_path: Path) -> None:
    first, second = OwnFile(
        written(tmp_path, "a,0.2,0.8,0", "b,.33,.33,.33"), task="classify", soft_labels=True
    ).examples()
    assert (first.label, first.soft) == ("good", {"bad": 0.2, "good": 0.8, "odd": 0})
    assert second.soft == pytest.approx({"bad": 1 / 3, "good": 1 / 3, "odd": 1 / 3})


def test_a_class_that_is_never_the_likeliest_is_a_class(tmp_path: Path) -> None:
    path = written(tmp_path, *(f"t {i},{i / 20},{1 - i / 20},0" for i in range(20)))
    corpus = FileCorpus(task="classify", train=str(path), soft_labels=True)
    assert corpus.labels == ("bad", "good", "odd")
    tokenizer = Tokenizer(lowercase=True)
    split = TokenisedSplit(corpus.read("train"), fields=("text",), tokenizer=tokenizer, max_tokens=5)
    encoded = split.encode(Vocabulary.build(split.counts(), vector_words=None, oov="hashed"), labels=corpus.labels)
    batch = encoded.batch(torch.arange(2).numpy())
    assert batch.soft is not None
    assert torch.equal(batch.soft, torch.tensor([[0, 1, 0], [0.05, 0.95, 0]]))


def test_the_loss_is_the_cross_entropy_of_the_probabilities() -> None:
    logits, soft = torch.tensor([[1.0, 2.0]]), torch.tensor([[0.25, 0.75]])
    text = Text(torch.ones(1, 1, dtype=torch.long), torch.ones(1, 1, dtype=torch.bool))
    batch = Batch({"text": text}, torch.tensor([1]), soft=soft).to(torch.device("cpu"))
    likely = functional.log_softmax(logits, dim=-1)[0]
    loss = TextClassification(labels=("a", "b")).loss(Output(logits, {}), batch)
    torch.testing.assert_close(loss, -(0.25 * likely[0] + 0.75 * likely[1]))


def test_every_wrong_row_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, "a,0.2,0.8,0", "b,0.2,0.2,0.2", "c,x,0,1", "d,1.5,0,0")
    report = check_file(path, "classify", soft_labels=True)
    assert [(p.line, p.kind, p.column) for p in report.problems] == [
        (3, "probabilities", None),
        (4, "probability", "p_bad"),
        (5, "probability", "p_bad"),
    ]
    assert report.problems[0].message == "the probabilities p_bad, p_good, p_odd add up to 0.6; expected 1"


@pytest.mark.parametrize(
    ("task", "header", "label", "told"),
    [
        ("classify", "text,label,p_a", None, "expected at least two columns 'p_LABEL'"),
        ("classify", "text,p_a,p_b", "label", "--label-column label: soft labels stand in columns p_LABEL"),
        ("language-model", "text,p_a,p_b", None, "the task language-model: soft labels stand in columns"),
    ],
)
def test_what_is_refused(tmp_path: Path, task: str, header: str, label: str | None, told: str) -> None:
    with pytest.raises(InputError, match=told):
        list(
            OwnFile(
                written(tmp_path, "a,1,0", header=header), task=task, label_column=label, soft_labels=True
            ).examples()
        )
