from __future__ import annotations

import math

import torch

from readhead.layers.fusion_layer import FusionLayer
from readhead.layers.tape import Tape

HALF = math.atanh(0.5)  # tanh of it is 0.5, of twice it 0.8
WEIGHTS = {
    "fuse_source.weight": HALF,
    "fuse_input.weight": HALF,
    "fuse_input.bias": -HALF,
    "fuse_blend.weight": HALF / 0.75,
    "fuse_score.weight": math.log(9),
    "gate_source_input.weight": 1.0,
    "gate_source_input.bias": math.log(3) - 2,
    "gate_source_blend.weight": 1 / 0.75,
    "lstmn.gate_bias": [0.0, 5.0, math.log(3), HALF],  # i, f, o, ĉ
}


def of_one_feature(*slots: float) -> torch.Tensor:
    return torch.tensor(slots).view(1, -1, 1)


def test_each_weight_stands_where_equations_11_to_16_have_it() -> None:
    layer = FusionLayer(input_dim=1, hidden_dim=1)
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            parameter.copy_(torch.tensor(WEIGHTS.get(name, 0.0)))
    source = Tape(of_one_feature(1.0, 0.0), of_one_feature(2.0, -2.0), torch.ones(1, 2, dtype=torch.bool))
    empty = Tape.empty(1, 1, like=source.hidden)
    tapes = layer(of_one_feature(1.0, 1.0), torch.ones(1, 2, dtype=torch.bool), empty, source)
    # (11) b_1 = log 9 · tanh([½*, 0] + ½* - ½*) = [log 3, 0];  (12) p_1 = [¾, ¼];  (13) γ̃_1 = ¾, α̃_1 = 1.
    # (14) r_1 = σ(1 + 1 + log 3 - 2) = ¾;  (15) c_1 = ¾ · 1 + f · 0 + ½ · ½ = 1;  (16) h_1 = ¾ tanh(1).
    torch.testing.assert_close(tapes.source_attention[0, 0], torch.tensor([0.75, 0.25]))
    torch.testing.assert_close(tapes.memory[0, 0], torch.tensor([1.0]))
    torch.testing.assert_close(tapes.hidden[0, 0], torch.tensor([0.75 * math.tanh(1)]))
    # (11) b_2 = log 9 · tanh([½*, 0] + ½*) = log 3 · [1.6, 1].
    second = 3**1.6 / (3**1.6 + 3)
    torch.testing.assert_close(tapes.source_attention[0, 1], torch.tensor([second, 1 - second]))
