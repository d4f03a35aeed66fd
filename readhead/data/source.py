"""What a source is: one corpus or one file of word vectors, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from readhead.data.contents import Contents


@dataclass(frozen=True, kw_only=True, slots=True)
class Download:
    """One address, and what becomes of the file that lies there.

    url: the address.
    place: where the fetched file goes, below the corpora directory; an archive leaves it once it is unpacked.
    contents: what is taken out of it; None if the file itself is what is wanted.
    sha256: of the file, in hexadecimal; None if not known.
    """

    url: str
    place: str
    contents: Contents | None = None
    sha256: str | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """What there is below the corpora directory once it is fetched."""
        return (self.place,) if self.contents is None else self.contents.files


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where one corpus or one file of vectors comes from.

    title: its full name.
    licence: as its makers word it.
    downloads: what is fetched.
    by_hand: files below the corpora directory that no address gives; `note` says where they come from.
    page: where people read about it; None if there is no such page.
    citation: whom to cite.
    note: what else there is to know.
    """

    title: str
    licence: str
    downloads: tuple[Download, ...] = ()
    by_hand: tuple[str, ...] = ()
    page: str | None = None
    citation: str | None = None
    note: str | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """What lies below the corpora directory once all of it is there."""
        return (*(name for download in self.downloads for name in download.files), *self.by_hand)


def missing_files(source: Source, directory: Path) -> tuple[Path, ...]:
    """Those of a source's files that are not below the corpora directory."""
    return tuple(path for path in (directory / name for name in source.files) if not path.is_file())
