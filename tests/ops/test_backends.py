"""Which backend an op takes, and what is said when it cannot."""

from __future__ import annotations

import re

import pytest
import torch

from readhead.errors import InputError
from readhead.ops import OPS, attend, chosen_backend
from readhead.ops.backends import BACKENDS, Choice, Implementation, choose

CPU, GPU = torch.device("cpu"), torch.device("cuda")


def only_gpu(device: torch.device, dtype: torch.dtype) -> str | None:
    return None if device.type == "cuda" else "it needs a GPU"


KERNELS = {"reference": Implementation(print), "triton": Implementation(print, only_gpu)}


@pytest.mark.parametrize("op", OPS)
def test_every_op_runs_on_a_cpu_and_says_why(op: str) -> None:
    choice = chosen_backend(op, CPU)
    assert choice.backend in BACKENDS
    assert choice.reason.startswith("the first that runs on cpu")


def test_auto_takes_the_fastest_that_runs() -> None:
    assert choose("scan", KERNELS, GPU).backend == "triton"
    choice = choose("scan", KERNELS, CPU)
    assert choice.backend == "reference"
    assert "triton: it needs a GPU" in choice.reason
    assert "torch: scan has no torch backend" in choice.reason


def test_a_named_one_is_taken_or_said_to_be_impossible() -> None:
    assert choose("scan", KERNELS, GPU, "reference") == Choice("reference", "asked for by name")
    with pytest.raises(InputError, match="the triton backend of scan cannot run: it needs a GPU"):
        choose("scan", KERNELS, CPU, "triton")


def test_no_backend_at_all() -> None:
    with pytest.raises(InputError, match="no backend of scan can run: triton: it needs a GPU"):
        choose("scan", {"triton": KERNELS["triton"]}, CPU)


@pytest.mark.parametrize(
    ("backend", "reason"),
    [
        ("cpu", "the cpu backend of attend cannot run: attend has no cpu backend"),
        ("triton", "the triton backend of attend cannot run: attend has no triton backend"),
        ("fast", "there is no such backend; there are auto, triton, cpu, torch, reference"),
    ],
)
def test_attend_names_what_it_lacks(backend: str, reason: str) -> None:
    with pytest.raises(InputError, match=re.escape(reason)):
        attend(torch.zeros(1, 1, 1), torch.zeros(1, 1, 1), torch.ones(1, 1, dtype=torch.bool), backend)


def test_an_unknown_op_is_named() -> None:
    with pytest.raises(InputError, match=r"there is no op 'atend'; there are attend"):
        chosen_backend("atend", CPU)
