"""Looks inside one reading: what the answer rests on, where each word looked, and all of it as a page.

python look_inside.py runs/lstmn "The chain came loose again."
"""

from __future__ import annotations

import sys
from pathlib import Path

import readhead
from readhead.explain.html import document


def main(run: str, text: str) -> None:
    """Prints the words by their share in the answer, and writes look_inside.html."""
    explained = readhead.load(run).explain(text, attribution=True)
    tokens = explained.texts["text"].tokens
    print(f"{explained.answer.label}, because of")
    shares = zip(tokens, explained.attribution["text"], strict=True)
    for token, bits in sorted(shares, key=lambda share: -abs(share[1])):
        print(f"  {bits:+.2f} bits  {token}")
    for name, weights in explained.attention.items():
        print(f"{name}, the strongest look of each word:")
        for token, row in zip(tokens, weights, strict=True):
            print(f"  {token} -> {tokens[row.argmax()]} ({row.max():.2f})")
    Path("look_inside.html").write_text(document(explained, about=f"Read by {run}."), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
