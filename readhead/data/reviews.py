"""IMDB's archive of 100,000 files, one a review, as two tables (Maas et al., 2011)."""

from __future__ import annotations

import lzma
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from readhead.data.contents import plain_members, told_if_broken, whole_file
from readhead.errors import InputError

_REVIEW = re.compile(r"aclImdb/(train|test)/(neg|pos)/(\d+)_(\d+)\.txt")
_BREAKS = str.maketrans("\t\n\r", "   ")


@dataclass(frozen=True, slots=True)
class ReviewTables:
    """The rated reviews of each split, a line each: polarity, number, rating (1-4, 7-10) and text, parted by tabs.

    Lines are sorted by polarity and number, and a text's tabs and line ends are spaces: the same archive gives the
    same tables.

    tables: by file below the corpora directory, the split it holds: `train` or `test`.
    """

    tables: Mapping[str, str]

    @property
    def files(self) -> tuple[str, ...]:
        """What the archive becomes, below the corpora directory."""
        return tuple(self.tables)

    def unpack(self, archive: Path, targets: Mapping[str, Path]) -> None:
        """Writes some of the tables. Raises: see `Contents`."""
        rows: dict[str, list[tuple[str, int, str, str]]] = {self.tables[name]: [] for name in targets}
        with told_if_broken(archive):
            for member, packed in plain_members(archive):
                match = _REVIEW.fullmatch(member)
                if match and match[1] in rows:
                    text = packed.read().decode("utf-8").translate(_BREAKS)
                    rows[match[1]].append((match[2], int(match[3]), match[4], text))
        for name, target in targets.items():
            found = sorted(rows[self.tables[name]])
            if not found:
                raise InputError(f"the archive holds no reviews to {self.tables[name]} on or with", file=archive)
            with whole_file(target) as plain, lzma.open(plain, "wb") as table:
                table.writelines("\t".join((a, str(n), rating, text + "\n")).encode() for a, n, rating, text in found)
