from __future__ import annotations

import copy

import torch

from readhead.layers.embedding import Embedding

TABLE = torch.tensor([[9.0, 9.0], [1.0, 0.0], [0.0, 2.0]])
IDS = torch.tensor([[1, 2], [2, 0]])
MASK = torch.tensor([[True, True], [True, False]])


def test_looks_up_and_zeroes_padding() -> None:
    embedding = Embedding(table=TABLE, trainable=False)
    expected = torch.tensor([[[1.0, 0.0], [0.0, 2.0]], [[0.0, 2.0], [0.0, 0.0]]])
    assert torch.equal(embedding(IDS, MASK), expected)
    assert embedding.output_dim == 2


def test_projects_without_a_bias() -> None:
    embedding = Embedding(table=TABLE, trainable=False, projection_dim=3)
    with torch.no_grad():
        embedding.projection.weight.copy_(torch.tensor([[1.0, 1.0], [0.0, 3.0], [2.0, 0.0]]))
    expected = torch.tensor([[[1.0, 0.0, 2.0], [2.0, 6.0, 0.0]], [[2.0, 6.0, 0.0], [0.0, 0.0, 0.0]]])
    assert torch.equal(embedding(IDS, MASK), expected)
    assert embedding.output_dim == 3
    assert list(embedding.state_dict()) == ["projection.weight"]


def test_a_frozen_table_is_not_part_of_the_weights() -> None:
    embedding = Embedding(table=TABLE, trainable=False)
    assert not list(embedding.parameters()) and not embedding.state_dict()
    assert embedding.double().table.dtype == torch.float64  # yet it goes where the module goes


def test_a_trainable_table_is_a_copy_that_learns() -> None:
    embedding = Embedding(table=TABLE, trainable=True)
    assert list(embedding.state_dict()) == ["table"]
    embedding(IDS, MASK).sum().backward()
    assert embedding.table.grad is not None
    assert torch.equal(embedding.table.grad, torch.tensor([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]))
    with torch.no_grad():
        embedding.table.zero_()
    assert TABLE.any()


def gradient(embedding: Embedding) -> torch.Tensor:
    embedding.zero_grad()
    embedding(IDS, MASK).square().sum().backward()
    assert embedding.table.grad is not None
    return embedding.table.grad


def test_scales_the_gradient_of_pretrained_rows_only() -> None:
    embedding = Embedding(table=TABLE, trainable=True, projection_dim=4, pretrained=torch.tensor([True, True, False]))
    full, before = gradient(embedding), embedding(IDS, MASK)
    for scale in (0.35, 0.0):
        embedding.pretrained_gradient_scale = scale
        assert torch.equal(embedding(IDS, MASK), before)
        expected = full * torch.tensor([[scale], [scale], [1.0]])
        torch.testing.assert_close(gradient(embedding), expected)
        torch.testing.assert_close(gradient(copy.deepcopy(embedding)), expected)
    embedding.pretrained_gradient_scale = 1.0
    assert torch.equal(gradient(embedding), full)


def test_without_a_list_all_rows_are_pretrained() -> None:
    embedding = Embedding(table=TABLE, trainable=True)
    embedding.pretrained_gradient_scale = 0.0
    assert not gradient(embedding).any()
