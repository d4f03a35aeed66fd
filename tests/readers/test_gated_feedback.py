from __future__ import annotations

import torch
from torch import Tensor, nn

from readhead.readers.gated_feedback import GatedFeedbackReader

E, D, L = 3, 2, 2


def by_the_equations(reader: GatedFeedbackReader, text: Tensor) -> list[Tensor]:
    """The last layer's h at each token, one matrix and one gate at a time. text: [T, E]."""
    h, c = [torch.zeros(D) for _ in range(L)], [torch.zeros(D) for _ in range(L)]
    outputs = []
    for token in text:
        before, below = [one.clone() for one in h], token
        everything = torch.cat(before)  # h*
        for j in range(L):
            weight, bias = reader.from_below[j].weight, reader.from_below[j].bias
            i, f, o = (
                torch.sigmoid(weight[row] @ below + bias[row] + reader.from_before[j].weight[row] @ before[j])
                for row in (slice(0, D), slice(D, 2 * D), slice(2 * D, 3 * D))
            )
            back = torch.zeros(D)
            for source in range(L):
                w, b = weight[4 * D + source], bias[4 * D + source]
                u = reader.gates_from_before.weight[j * L + source]
                g = torch.sigmoid(w @ below + b + u @ everything)
                into_layer = slice((3 + j) * D, (4 + j) * D)
                back = back + g * (reader.from_before[source].weight[into_layer] @ before[source])
            candidate = torch.tanh(weight[3 * D : 4 * D] @ below + bias[3 * D : 4 * D] + back)
            c[j] = f * c[j] + i * candidate
            h[j] = below = o * torch.tanh(c[j])
        outputs.append(h[-1])
    return outputs


def test_the_published_equations() -> None:
    reader = GatedFeedbackReader(input_dim=E, hidden_dim=D, num_layers=L).double()
    torch.set_default_dtype(torch.float64)
    try:
        text = torch.randn(4, E)
        expected = torch.stack(by_the_equations(reader, text))
    finally:
        torch.set_default_dtype(torch.float32)
    outputs = reader(text.unsqueeze(0), torch.ones(1, 4, dtype=torch.bool)).outputs
    torch.testing.assert_close(outputs[0], expected)


def test_one_layer_with_its_gate_open_is_an_lstm() -> None:
    reader, lstm = GatedFeedbackReader(input_dim=E, hidden_dim=4, num_layers=1), nn.LSTM(E, 4, batch_first=True)
    to_torch = [0, 1, 3, 2]  # i, f, o, ĉ to torch's i, f, ĉ, o
    with torch.no_grad():
        reader.from_below[0].weight[-1] = 0
        reader.from_below[0].bias[-1] = 100  # g = σ(100) = 1
        for ours, theirs in (
            (reader.from_below[0].weight[:-1], lstm.weight_ih_l0),
            (reader.from_below[0].bias[:-1], lstm.bias_ih_l0),
            (reader.from_before[0].weight, lstm.weight_hh_l0),
        ):
            theirs.copy_(torch.cat([ours.chunk(4)[part] for part in to_torch]))
        lstm.bias_hh_l0.zero_()
    embedded = torch.randn(3, 5, E)
    expected, _ = lstm(embedded)
    outputs = reader(embedded, torch.ones(3, 5, dtype=torch.bool)).outputs
    torch.testing.assert_close(outputs, expected, rtol=0, atol=1e-6)
