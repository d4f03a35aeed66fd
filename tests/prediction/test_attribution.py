"""Integrated gradients: complete for every model, equal to captum's, through packed weights, and by hand."""

from __future__ import annotations

import copy
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from readhead import recipe
from readhead.data.batch import Batch, Text
from readhead.errors import InputError
from readhead.explain.record import Explanation
from readhead.layers.packs import pack
from readhead.models.output import Output
from readhead.prediction import attribution
from readhead.prediction.attribution import integrated_gradients
from readhead.prediction.predictor import Predictor
from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train
from tests import laws
from tests.tiny import tiny_recipe

FIXTURES = Path(__file__).parents[1] / "fixtures"


def score(output: Output, batch: Batch) -> Tensor:
    """log2 p of the second class."""
    assert output.logits is not None
    return output.logits.double().log_softmax(dim=1)[:, 1] / math.log(2)


def sharpened(model: str, reader: str | None) -> nn.Module:
    """A model with weights so large that it is no longer nearly linear."""
    network = laws.make_model(model, reader).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(2)
    return network


class Given(nn.Module):
    """In an embedding's place: vectors in the order in which they are asked for."""

    def __init__(self, *vectors: Tensor) -> None:
        super().__init__()
        self.vectors = list(vectors)

    def forward(self, token_ids: Tensor, mask: Tensor) -> Tensor:
        return self.vectors.pop(0)


@pytest.mark.parametrize(("model", "reader"), laws.arrangements())
def test_the_shares_add_up(model: str, reader: str | None) -> None:
    network, batch = sharpened(model, reader), laws.make_batch(1, of=model, shortest=3)
    found = integrated_gradients(network, batch, score)
    assert found.complete
    assert found.score == pytest.approx(score(network(batch), batch).item(), abs=1e-5)
    assert abs(found.gap) < 0.05 * sum(np.abs(shares).sum() for shares in found.shares.values())
    for name, text in batch.texts.items():
        assert found.shares[name].shape == (text.mask.sum(),)
    assert all(parameter.grad is None for parameter in network.parameters())


@pytest.mark.parametrize(
    ("model", "reader"), [("classifier", "lstm"), ("decomposable", "words"), ("mma-nse", None), ("mlstm", None)]
)
def test_captum_finds_the_same(model: str, reader: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    from captum.attr import IntegratedGradients

    monkeypatch.setattr(attribution, "NODES", (20,))
    network, batch = sharpened(model, reader), laws.make_batch(1, of=model, shortest=3)
    ours = integrated_gradients(network, batch, score)

    def forward(*vectors: Tensor) -> Tensor:
        other = copy.deepcopy(network)
        other.embedding = Given(*vectors)
        count = len(vectors[0])
        texts = {
            name: Text(text.token_ids.expand(count, -1), text.mask.expand(count, -1))
            for name, text in batch.texts.items()
        }
        return score(other(Batch(texts)), batch)

    embedded = tuple(network.embedding(text.token_ids, text.mask).detach() for text in batch.texts.values())  # type: ignore[operator]
    theirs = IntegratedGradients(forward).attribute(embedded, n_steps=20, method="gausslegendre")
    for shares, expected in zip(ours.shares.values(), theirs, strict=True):
        np.testing.assert_allclose(shares, expected[0].sum(dim=1).numpy(), atol=1e-5)


def test_a_linear_score_is_shared_out_by_hand() -> None:
    network = laws.make_model("classifier", "words").eval()
    network.hidden, network.predict = nn.Identity(), nn.Linear(laws.EMBEDDED, 2, bias=False)
    text = Text(torch.tensor([[3, 7, 3, 0]]), torch.tensor([[True, True, True, False]]))
    found = integrated_gradients(network, Batch({"text": text}), lambda output, _: output.logits[:, 1])  # type: ignore[index]
    vectors = network.embedding(text.token_ids, text.mask)[0, :3]  # type: ignore[operator]
    expected = vectors @ network.predict.weight[1] / 3  # the mean over three tokens
    np.testing.assert_allclose(found.shares["text"], expected.detach().numpy(), rtol=1e-5)
    assert found.baseline == 0


def test_more_nodes_are_taken_until_the_shares_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attribution, "NODES", (1, 2, 32))
    used: list[int] = []
    shares = attribution._shares
    monkeypatch.setattr(attribution, "_shares", lambda *given: used.append(given[-1]) or shares(*given))
    assert integrated_gradients(sharpened("mlstm", None), laws.make_batch(1, shortest=4), score).complete
    assert used[0] == 1 and len(used) > 1


def test_packed_weights_and_small_portions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    network, batch = sharpened("sentence-pair", "lstmn"), laws.make_batch(1, shortest=3)
    plain = integrated_gradients(network, batch, score)
    pack(network)
    monkeypatch.setattr(attribution, "TOKENS", 20)
    packed = integrated_gradients(network, batch, score)
    for name, shares in plain.shares.items():
        np.testing.assert_allclose(packed.shares[name], shares, atol=1e-5)
    with torch.inference_mode():
        assert network(batch).logits.isfinite().all(), "the model is as it was"


def trained(folder: Path, name: str, *changes: str) -> Predictor:
    chosen = recipe.read(name, ["vectors.dim=8", "training.epochs=1", *changes])
    train(Request(recipe=chosen, out=folder / "run", corpora=folder, device="cpu", quiet=True))
    return Predictor(run=Run.open(folder / "run"))


def attributed(predictor: Predictor, *texts: str) -> Explanation:
    explanation = predictor.explain(dict(zip(predictor.run.task.fields, texts, strict=True)), attribution=True)
    assert explanation.attributed is not None
    assert abs(explanation.gap) <= 0.01 * max(1, abs(explanation.attributed.score - explanation.attributed.baseline))
    assert Explanation.from_json(explanation.to_json()).attributed is not None
    return explanation


def test_a_label_is_explained_as_it_was_answered(tmp_path: Path) -> None:
    train(Request(recipe=tiny_recipe(tmp_path), out=tmp_path / "run", corpora=tmp_path, device="cpu", quiet=True))
    predictor = Predictor(run=Run.open(tmp_path / "run"))
    explanation = attributed(predictor, "The baker sings.", "A baker sings.")
    answer, of = explanation.answer, explanation.attributed
    assert of is not None
    assert of.of == answer.label  # type: ignore[union-attr]
    assert 2**of.score == pytest.approx(answer.scores[answer.label], abs=1e-6)  # type: ignore[union-attr]
    assert predictor.explain({"premise": "The baker sings.", "hypothesis": ""}).attributed is None


def test_candidates_are_explained_in_their_order(tmp_path: Path) -> None:
    changes = (f"corpus.train={FIXTURES / 'own' / 'questions.csv'}", "corpus.dev_fraction=0.3", "model.hidden_dim=8")
    predictor = trained(tmp_path, "rank/decomposable", *changes)
    asked = ("Who keeps the bees?", ["It rains.", "Two sisters keep the bees.", ""])
    ranking = predictor.explain_ranking(*asked, attribution=True)
    assert list(ranking.places) == [entry["place"] for entry in predictor.ranking(*asked)]
    for place, explanation in zip(ranking.places, ranking.candidates, strict=True):
        assert list(explanation.texts) == ["question", "candidate"] == list(explanation.attribution)
        assert explanation.texts["candidate"].text == asked[1][place]
        assert explanation.attributed is not None and explanation.attributed.of == "being right"
        assert 2**explanation.attributed.score == pytest.approx(explanation.answer.score, abs=1e-6)  # type: ignore[union-attr]


def test_a_language_model_s_text_is_explained_and_counts_are_not(tmp_path: Path) -> None:
    (tmp_path / "ptb").symlink_to(FIXTURES / "corpora" / "ptb")
    explanation = attributed(trained(tmp_path, "ptb/lstmn", "reader.hidden_dim=8"), "the farmer waits")
    assert explanation.attributed is not None and explanation.attributed.of == "the text"
    assert explanation.attributed.score == pytest.approx(-sum(explanation.answer.surprisal), rel=1e-5)  # type: ignore[union-attr]
    assert explanation.attribution["text"][-1] == 0, "the last token is never read"
    counting = laws.constructor("readhead.models.kneser_ney:KneserNey")(num_classes=3)
    with pytest.raises(InputError, match="follows gradients back to word vectors, and this run's model has none"):
        integrated_gradients(counting, laws.make_batch(1, of="classifier"), score)
