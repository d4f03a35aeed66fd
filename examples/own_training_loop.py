"""An LSTMN in a training loop of one's own, and then read letter by letter as a stream.

It learns to say of each letter whether it stood before in its word. An LSTMN can look that up: its memory is a tape
with every letter's state on it.

    python own_training_loop.py banana
"""

from __future__ import annotations

import sys

import torch
from torch import Tensor, nn

from readhead.readers.lstmn import LSTMNReader

LETTERS = "abehnost"


class Repeats(nn.Module):
    """Whether each letter stood before: a logit a letter."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(len(LETTERS), 16)
        self.reader = LSTMNReader(input_dim=16, hidden_dim=32)
        self.score = nn.Linear(32, 1)

    def forward(self, letters: Tensor, mask: Tensor) -> Tensor:
        """letters: [B, T] ids; mask: [B, T], True = a letter, False = padding behind a word. Returns [B, T]."""
        logits: Tensor = self.score(self.reader(self.embed(letters), mask).outputs)  # [B, T, 1]
        return logits.squeeze(-1)


def draw(words: int) -> tuple[Tensor, Tensor, Tensor]:
    """Random words of 4 to 8 letters: their letters, their mask, and the truth."""
    letters = torch.randint(len(LETTERS), (words, 8))
    mask = torch.arange(8) < torch.randint(4, 9, (words, 1))
    same = letters.unsqueeze(2) == letters.unsqueeze(1)  # [B, T, T]
    return letters, mask, same.tril(diagonal=-1).any(dim=2).float()


def learn(model: Repeats, steps: int) -> None:
    """Any loop, loss and optimiser will do: a reader is a module like any other."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(1, steps + 1):
        letters, mask, truth = draw(words=64)
        logits = model(letters, mask)
        loss = nn.functional.binary_cross_entropy_with_logits(logits[mask], truth[mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 25 == 0:
            right = ((logits > 0) == truth.bool())[mask].float().mean()
            print(f"step {step}: loss {loss.item():.3f}, right {right.item():.2f}")


@torch.no_grad()
def stream(model: Repeats, word: str) -> None:
    """Reads a word as it comes: all that is kept from letter to letter is the reader's state."""
    state = model.reader.initial_state(1)
    for letter in word:
        embedded = model.embed(torch.tensor([LETTERS.index(letter)]))  # [1, 16]
        output, state = model.reader.step(embedded, state)
        print(letter, "again" if model.score(output).item() > 0 else "new")


if __name__ == "__main__":
    torch.manual_seed(0)
    repeats = Repeats()
    learn(repeats, steps=100)
    stream(repeats.eval(), sys.argv[1] if len(sys.argv) > 1 else "banana")
