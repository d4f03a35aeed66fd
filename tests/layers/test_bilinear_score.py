from __future__ import annotations

import torch

from readhead.layers.bilinear_score import BilinearScore


def test_by_hand() -> None:
    score = BilinearScore(dim=2, num_classes=2)
    with torch.no_grad():
        score.turn.weight.copy_(torch.tensor([[1.0, 2.0], [0.0, 3.0], [0.0, 1.0], [-1.0, 0.0]]))
        score.bias.copy_(torch.tensor([0.5, 0.0]))
    x, y = torch.tensor([[1.0, 10.0], [0.0, 1.0]]), torch.tensor([[1.0, 1.0], [2.0, 4.0]])
    # M_1 y = [3, 3] and [10, 12]; M_2 y = [1, -1] and [4, -2].
    assert score(x, y).tolist() == [[33.5, -9.0], [12.5, -2.0]]
