"""From a source's address to its files below the corpora directory."""

from __future__ import annotations

import hashlib
import logging
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pooch
import requests

from readhead.data.sources import Source, missing_files
from readhead.errors import InputError


class Progress(Protocol):
    """What is told of a download while it runs, in bytes."""

    total: int

    def update(self, amount: int) -> object:
        """So many bytes more have come."""
        ...

    def reset(self) -> object:
        """Counting starts again."""
        ...

    def close(self) -> object:
        """The download is over."""
        ...


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a fetch left behind.

    files: the source's files, all there.
    sha256: of what was downloaded; None if everything was there already.
    """

    files: tuple[Path, ...]
    sha256: str | None


def fetch(source: Source, directory: Path, *, progress: Progress | None = None) -> Fetched:
    """Downloads a source and unpacks what is read of it; what is there already is left alone.

    A file appears under its name only when it is whole: it is written beside and renamed.

    directory: the corpora directory; made if it is missing.
    progress: is told of the bytes as they come.

    Raises:
        InputError: the source has no address, the download fails or has another SHA-256 than expected, the
            archive is broken or lacks a file, or the directory cannot be written.
    """
    if not missing_files(source, directory):
        return Fetched(tuple(directory / name for name in source.files), None)
    if source.url is None:
        raise InputError(f"{source.title} cannot be fetched: {source.note}")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        # Beside the target, so that a rename is enough: /tmp may be small, or another disk.
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=directory) as scratch:
            download = _download(source.url, source.sha256, Path(scratch), progress)
            digest = _sha256(download)
            unpacked = _unpack(download, source.members, Path(scratch)) or {source.files[0]: download}
            for name, path in unpacked.items():
                (directory / name).parent.mkdir(parents=True, exist_ok=True)
                path.replace(directory / name)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", file=directory) from error
    return Fetched(tuple(directory / name for name in source.files), digest)


def _download(url: str, sha256: str | None, scratch: Path, progress: Progress | None) -> Path:
    downloader = pooch.HTTPDownloader(progressbar=False if progress is None else progress, chunk_size=2**18)
    try:
        with _quiet(pooch.get_logger()):
            return Path(pooch.retrieve(url, sha256, fname="download", path=scratch, downloader=downloader))
    except requests.RequestException as error:
        if error.response is not None:
            error.response.close()
        raise InputError(f"{url} cannot be fetched: {_reason(error)}") from error
    except ValueError as error:  # how pooch tells of another hash
        raise InputError(f"{url} is not the file expected: its SHA-256 is not {sha256}") from error


def _reason(error: requests.RequestException) -> str:
    if error.response is not None:
        return f"the server answers {error.response.status_code} {error.response.reason}"
    if isinstance(error, requests.Timeout):
        return "the server does not answer in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the download was cut off; try again"
    return "no connection to the server; is there a network?"


@contextmanager
def _quiet(logger: logging.Logger) -> Iterator[None]:
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unpack(archive: Path, members: Mapping[str, str], scratch: Path) -> dict[str, Path]:
    if not members:
        return {}
    try:
        with zipfile.ZipFile(archive) as opened:
            return {
                name: _unpack_member(opened, member, scratch / f"member-{number}")
                for number, (name, member) in enumerate(members.items())
            }
    except KeyError as error:
        raise InputError(f"the archive fetched lacks a file: {error.args[0]}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise InputError(f"the archive fetched is no whole .zip: {error}") from error


def _unpack_member(archive: zipfile.ZipFile, member: str, target: Path) -> Path:
    with archive.open(member) as packed, target.open("wb") as plain:
        shutil.copyfileobj(packed, plain)
    return target
