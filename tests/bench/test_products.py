"""The recorder finds every matrix product of a step, and the replay does those and nothing else."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from readhead.bench.products import LEFT_FACTOR, Operand, Product, products_of, replay
from readhead.ops import attend

aten = torch.ops.aten


def shapes(products: list[Product]) -> list[tuple[tuple[int, ...], ...]]:
    return [tuple(operand.shape for operand in product.operands) for product in products]


def small_step() -> None:
    """Two linear layers, 5 texts of 3 features, 4 hidden ones, 2 classes; the input learns nothing."""
    network = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    network(torch.randn(5, 3)).sum().backward()


def test_products_of_a_small_network_by_hand() -> None:
    found = products_of(small_step)
    assert [product.operator for product in found] == [aten.addmm.default] * 2 + [aten.mm.default] * 3
    assert shapes(found) == [
        ((4,), (5, 3), (3, 4)),  # hidden = input W1 + b1
        ((2,), (5, 4), (4, 2)),  # output = hidden W2 + b2
        ((5, 2), (2, 4)),  # gradient of hidden
        ((2, 5), (5, 4)),  # gradient of W2
        ((4, 5), (5, 3)),  # gradient of W1
    ]
    assert [product.flop for product in found] == [
        2 * n for n in (5 * 3 * 4, 5 * 4 * 2, 5 * 2 * 4, 2 * 5 * 4, 4 * 5 * 3)
    ]


def test_transposes_and_shared_memory_are_kept() -> None:
    first, _, _, gradient, _ = products_of(small_step)
    assert first.operands[2].stride == (1, 3)  # W1 lies as [4, 3]
    assert gradient.operands[0].stride == (0, 0) or gradient.operands[0].stride == (1, 2)
    weight = torch.randn(3, 3)
    one, two = products_of(lambda: (weight @ weight) @ weight)
    assert one.operands[0] == one.operands[1] == two.operands[1]


def test_products_inside_an_operator_of_ours_are_found() -> None:
    scores, values = torch.randn(2, 3, 4, requires_grad=True), torch.randn(2, 4, 5, requires_grad=True)
    mask = torch.ones(2, 4, dtype=torch.bool)

    def step() -> None:
        blend, _ = attend(scores, values, mask, "torch")
        blend.sum().backward()

    weights, transposed = (2, 3, 4), (2, 4, 3)
    found = shapes(products_of(step))
    assert found[0] == (weights, (2, 4, 5))
    assert sorted(found[1:]) == sorted([(weights, (2, 3, 5), (2, 5, 4)), (transposed, (2, 3, 5))])


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_products_without_a_backward_are_found(mode: type) -> None:
    layer, x = nn.Linear(3, 4), torch.randn(2, 5, 3)

    def step() -> None:
        with mode():
            layer(x)

    (product,) = products_of(step)
    assert product.flop == 2 * 2 * 5 * 3 * 4


def test_replay_does_the_same_products_and_nothing_else() -> None:
    found = products_of(small_step)
    pool: dict[Operand, torch.Tensor] = {}
    run = replay(found, pool)
    again = products_of(run)
    assert [(p.operator, p.flop) for p in again] == [(p.operator, p.flop) for p in found]
    assert [[o.stride for o in p.operands] for p in again] == [[o.stride for o in p.operands] for p in found]
    assert shapes(again) == shapes(found)
    assert len(pool) == len({operand for product in found for operand in product.operands})


def test_replays_share_operands_that_were_one() -> None:
    weight = torch.randn(3, 3)
    pool: dict[Operand, torch.Tensor] = {}
    for length in (4, 5):
        replay(products_of(lambda length=length: torch.randn(length, 3) @ weight), pool)
    assert sum(operand.shape == (3, 3) for operand in pool) == 1


@pytest.mark.parametrize(
    "layout",
    [((4, 3), (3, 1)), ((4, 3), (1, 4)), ((4, 3), (0, 0)), ((2, 0), (1, 1)), ((2, 4, 3), (12, 1, 4))],
)
def test_an_operand_is_made_as_it_lay(layout: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    shape, stride = layout
    made = Operand(0, shape, stride, torch.float32, torch.device("cpu")).made()
    assert made.shape == shape
    assert made.stride() == stride
    assert made.isfinite().all()


def test_every_product_names_its_left_factor() -> None:
    for operator, place in LEFT_FACTOR.items():
        names = [argument.name for argument in operator._schema.arguments]
        assert names[place] in {"input", "self", "mat1", "batch1", "mat"}, operator
