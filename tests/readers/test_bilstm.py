from __future__ import annotations

import pytest
import torch
from torch import nn

from readhead.errors import InputError
from readhead.readers.bilstm import BiLSTMReader


def one_way(reader: BiLSTMReader, suffix: str) -> nn.LSTM:
    """One direction of a reader of one layer, as a network of its own."""
    lstm = nn.LSTM(reader.lstm.input_size, reader.lstm.hidden_size, batch_first=True)
    weights = {name: getattr(reader.lstm, f"{name}{suffix}") for name in lstm.state_dict()}
    lstm.load_state_dict(weights)
    return lstm


def test_each_direction_begins_at_the_text_s_own_end() -> None:
    reader = BiLSTMReader(input_dim=3, hidden_dim=4)
    rightward, leftward = one_way(reader, ""), one_way(reader, "_reverse")
    embedded, lengths = torch.randn(4, 6, 3), (6, 1, 4, 2)  # padding holds numbers, too
    outputs = reader(embedded, torch.arange(6) < torch.tensor(lengths).unsqueeze(1)).outputs
    for b, length in enumerate(lengths):
        text = embedded[b : b + 1, :length]
        forth, _ = rightward(text)
        back, _ = leftward(text.flip(1))
        torch.testing.assert_close(outputs[b, :length], torch.cat([forth, back.flip(1)], dim=-1)[0])
        assert not outputs[b, length:].any()


def test_the_first_word_knows_the_last() -> None:
    reader = BiLSTMReader(input_dim=3, hidden_dim=4, num_layers=2)
    embedded, mask = torch.randn(1, 5, 3), torch.ones(1, 5, dtype=torch.bool)
    changed = embedded.clone()
    changed[:, -1] += 1
    assert not torch.equal(reader(embedded, mask).outputs[:, 0], reader(changed, mask).outputs[:, 0])


def test_size() -> None:
    reader = BiLSTMReader(input_dim=300, hidden_dim=168)
    assert reader.output_dim == 336
    assert sum(weight.numel() for weight in reader.parameters()) == 2 * 4 * 168 * (300 + 168 + 2)


def test_dropout_without_layers_to_stand_between_is_refused() -> None:
    with pytest.raises(InputError, match=r"the bilstm reader's dropout .* stands between layers; it has only one"):
        BiLSTMReader(input_dim=3, hidden_dim=8, dropout=0.5)
