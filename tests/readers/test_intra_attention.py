from __future__ import annotations

import math

import torch

from readhead.readers.intra_attention import IntraAttentionReader


def by_hand() -> IntraAttentionReader:
    """F is a ReLU; the distance biases are log 2 for the word itself, 0 for a neighbour, log 3 beyond."""
    reader = IntraAttentionReader(input_dim=2, hidden_dim=2, max_distance=1, dropout=0.0)
    with torch.no_grad():
        for layer in reader.transform.layers:
            layer.weight.copy_(torch.eye(2))
            layer.bias.zero_()
        reader.distance.bias.copy_(torch.tensor([0.0, math.log(2), 0.0, math.log(3)]))
    return reader


def test_equations_6_and_7() -> None:
    words = torch.tensor([[[math.log(2), 0.0], [1.0, -5.0], [0.0, 4.0]]])
    reading = by_hand()(words, torch.ones(1, 3, dtype=torch.bool))
    # F(a_1) = [log 2, 0], F(a_2) = [1, 0], F(a_3) = [0, 4], so f_11 = log² 2, f_12 = log 2, f_13 = 0.
    scores = [2 * math.exp(math.log(2) ** 2), 2.0, 3.0]
    weights = torch.tensor(scores) / sum(scores)
    torch.testing.assert_close(reading.attention["intra"][0, 0], weights)
    torch.testing.assert_close(reading.outputs[0, 0], torch.cat([words[0, 0], weights @ words[0]]))
    # Row 2 has the word itself in the middle: f_21 = log 2, f_22 = 1, f_23 = 0.
    scores = [2.0, 2 * math.e, 1.0]
    torch.testing.assert_close(reading.attention["intra"][0, 1], torch.tensor(scores) / sum(scores))


def test_a_word_alone_attends_to_itself() -> None:
    words = torch.tensor([[[0.3, -0.2], [7.0, 7.0]]])
    reading = by_hand()(words, torch.tensor([[True, False]]))
    torch.testing.assert_close(reading.outputs, torch.tensor([[[0.3, -0.2, 0.3, -0.2], [0.0, 0.0, 0.0, 0.0]]]))
    assert torch.equal(reading.attention["intra"], torch.tensor([[[1.0, 0.0], [0.0, 0.0]]]))
