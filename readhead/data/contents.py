"""From a fetched archive to the files that are read: only names of ours are written, never an archive's own."""

from __future__ import annotations

import gzip
import lzma
import os
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from readhead.errors import InputError

# NotImplementedError: a .zip that is packed in a way Python does not know.
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    lzma.LZMAError,
    zlib.error,
    EOFError,
    NotImplementedError,
)


class Contents(Protocol):
    """What is taken out of an archive."""

    @property
    def files(self) -> tuple[str, ...]:
        """What it becomes, below the corpora directory."""
        ...

    def unpack(self, archive: Path, targets: Mapping[str, Path]) -> None:
        """Writes some of the files.

        targets: by name in `files`, where it is written.

        Raises:
            InputError: the archive is broken, or lacks a file.
            OSError: it cannot be read, or a target cannot be written.
        """
        ...


@dataclass(frozen=True, slots=True)
class Members:
    """Single members of a .zip, or of a .tar packed in any way, as they are.

    members: by file below the corpora directory, the member that it is.
    """

    members: Mapping[str, str]

    @property
    def files(self) -> tuple[str, ...]:
        """What it becomes, below the corpora directory."""
        return tuple(self.members)

    def unpack(self, archive: Path, targets: Mapping[str, Path]) -> None:
        """Writes some of the files. Raises: see `Contents`."""
        wanted = {self.members[name]: target for name, target in targets.items()}
        with told_if_broken(archive):
            for member, packed in plain_members(archive):
                if member in wanted:
                    with whole_file(wanted.pop(member)) as plain:
                        shutil.copyfileobj(packed, plain)
        if wanted:
            raise InputError(f"the archive lacks a file: {min(wanted)}", file=archive)


def plain_members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """An archive's plain files, each with its name in it: no folders, no links, nothing to follow."""
    yield from _zip_members(archive) if _is_zip(archive) else _tar_members(archive)


@contextmanager
def told_if_broken(archive: Path) -> Iterator[None]:
    """Around reading an archive. Raises: InputError for one that is broken."""
    try:
        yield
    except _BROKEN as error:
        kind = "zip" if _is_zip(archive) else "tar"
        raise InputError(f"this is no whole .{kind} archive: {error}", file=archive) from error


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write, which has reached the disk when this is over."""
    with path.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _is_zip(archive: Path) -> bool:
    # Its name tells: of a broken file the content would not.
    return archive.suffix == ".zip"


def _zip_members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            if not member.is_dir():
                with opened.open(member) as packed:
                    yield member.filename, packed


def _tar_members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with tarfile.open(archive) as opened:
        for member in opened:
            packed = opened.extractfile(member) if member.isfile() else None
            if packed is not None:
                yield member.name.removeprefix("./"), packed
