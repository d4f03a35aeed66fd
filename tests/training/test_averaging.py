from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import torch
from torch import nn

from readhead.errors import InputError
from readhead.recipe import changed, parse
from readhead.run import RunFiles, read_weights
from readhead.training import averaging
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import tiny_recipe


class One(nn.Module):
    """A weight that learns, and one that does not."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0]))
        self.frozen = nn.Parameter(torch.tensor([1.0]), requires_grad=False)


def test_the_mean_is_that_of_the_equation() -> None:
    model, average = One(), dict[str, torch.Tensor]()
    averaging.update(average, model, taken=4, kept=0.9)
    assert {name: mean.tolist() for name, mean in average.items()} == {"weight": [1.0]}
    model.weight.data.fill_(3.0)
    averaging.update(average, model, taken=5, kept=0.9)
    assert average["weight"].item() == 1, "it is not this step's turn"
    averaging.update(average, model, taken=8, kept=0.9)
    assert average["weight"].item() == pytest.approx(1 + (1 - 9 / 18) * 2), "n = 8: 9 / 18 stays"
    averaging.update(average, model, taken=4_000, kept=0.9)
    assert average["weight"].item() == pytest.approx(2 + (1 - 0.9**4) * 1), "later 0.9 a step stays, of four steps"


def test_the_mean_takes_the_models_place_and_leaves_it() -> None:
    model, average = One(), {"weight": torch.tensor([7.0])}
    with averaging.in_place(average, model):
        assert (model.weight.item(), average["weight"].item()) == (7, 1)
    assert (model.weight.item(), average["weight"].item()) == (1, 7)


def request(folder: Path, out: str, *changes: str) -> Request:
    recipe = tiny_recipe(folder, ("training.average=0.9", *changes))
    return Request(recipe=recipe, out=folder / out, corpora=folder, device="cpu", quiet=True)


def test_what_is_kept_is_the_mean(tmp_path: Path) -> None:
    once = ("training.epochs=1",)
    train(request(tmp_path, "mean", *once))
    train(request(tmp_path, "plain", *once, "training.average=0"))
    kept, plain = (read_weights(RunFiles(tmp_path / out).weights) for out in ("mean", "plain"))
    assert not torch.equal(kept["predict.weight"], plain["predict.weight"])
    found = read_weights(RunFiles(tmp_path / "mean").checkpoint)
    assert torch.equal(found["model.predict.weight"], plain["predict.weight"]), "training itself goes on as without"
    assert torch.equal(found["average.predict.weight"], kept["predict.weight"])


def test_a_run_that_was_cut_goes_on_with_the_same_mean(tmp_path: Path) -> None:
    train(request(tmp_path, "undisturbed"))
    cut = request(tmp_path, "cut")
    train(dataclasses.replace(cut, budget=1e-9))
    train(dataclasses.replace(cut, resume=True))
    weights = [(tmp_path / out / "weights.safetensors").read_bytes() for out in ("undisturbed", "cut")]
    assert weights[0] == weights[1]


@pytest.mark.parametrize(("value", "told"), [("1.0", "expected less than 1"), ("-0.1", "expected at least 0")])
def test_a_share_that_is_none_is_refused(tmp_path: Path, value: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        changed(parse(_saved(tmp_path)), [f"training.average={value}"], name="tiny")


def _saved(folder: Path) -> Path:
    path = folder / "tiny.toml"
    path.write_text(tiny_recipe(folder).to_toml())
    return path
