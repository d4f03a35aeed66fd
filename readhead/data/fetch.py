"""From a source's addresses to its files below the corpora directory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pooch

from readhead.data.download import Patience, Transfer, Unwatched, Watcher, unexpected
from readhead.data.source import Download, Source
from readhead.errors import InputError


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was fetched, or was found whole where fetching would have put it.

    url: where it comes from.
    sha256: its checksum.
    expected: whether that is the one expected; False where none is known.
    """

    url: str
    sha256: str
    expected: bool


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a fetch left behind.

    files: the source's files, all there.
    checked: what they were made of; empty if everything was there already.
    """

    files: tuple[Path, ...]
    checked: tuple[Checked, ...]


def fetch(
    source: Source,
    directory: Path,
    *,
    mirror: str | None = None,
    offline: bool = False,
    watcher: Watcher | None = None,
    patience: Patience | None = None,
) -> Fetched:
    """Downloads a source and unpacks what is read of it; what is there already is left alone.

    A file appears under its name only when it is whole: it is written beside and renamed. An archive that somebody
    put where it would have been downloaded to is taken as it is, if its checksum is right, and stays there.

    directory: the corpora directory; made if it is missing.
    mirror: an address that stands for the root of every server: what lies at /data/x.zip there lies below it.
    offline: whether nothing may be downloaded.
    watcher: is told of the downloads.
    patience: how long to try.

    Raises:
        InputError: a file has no address, the download fails or has another SHA-256 than expected, the archive is
            broken or lacks a file, nothing may be downloaded but something is missing, or the directory cannot be
            written.
    """
    _check_addresses(source, directory)
    needed = [download for download in source.downloads if _missing(download, directory)]
    needed = needed if mirror is None else [_mirrored(download, mirror) for download in needed]
    if offline:
        _check_here(needed, directory)
    watcher, patience = watcher or Unwatched(), patience or Patience()
    try:
        checked = [_get(download, directory, offline, watcher, patience) for download in needed]
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", file=error.filename or directory) from error
    return Fetched(tuple(directory / name for name in source.files), tuple(checked))


def _check_addresses(source: Source, directory: Path) -> None:
    missing = [name for name in source.by_hand if not (directory / name).is_file()]
    if missing:
        what = f"{source.title}, cannot be fetched: {source.note}"
        where = f"put {_listed(missing)} below {directory}"
        raise InputError("; ".join([what, *([f"see {source.page}"] if source.page else []), where]))


def _check_here(needed: Sequence[Download], directory: Path) -> None:
    """Raises: InputError if what is needed must be downloaded."""
    absent = [download for download in needed if not (directory / download.place).is_file()]
    if absent:
        files = [path.relative_to(directory).as_posix() for d in absent for path in _missing(d, directory)]
        archives = [download.place for download in absent if download.contents is not None]
        also = f", nor, to unpack it from, {_listed(archives)}" if archives else ""
        addresses = _listed([download.url for download in absent], most=1)
        what = f"offline, and not below {directory}: {_listed(files)}{also}"
        raise InputError(f"{what}; without --offline it is fetched from {addresses}")


def _mirrored(download: Download, mirror: str) -> Download:
    try:
        root = urlsplit(mirror)
    except ValueError:
        root = urlsplit("")
    if root.scheme not in ("http", "https") or not root.hostname:
        raise InputError(f"--mirror {mirror}: expected an address, such as https://mirror.example/corpora")
    original = urlsplit(download.url)
    url = urlunsplit((root.scheme, root.netloc, root.path.rstrip("/") + original.path, original.query, ""))
    return replace(download, url=url)


def _get(download: Download, directory: Path, offline: bool, watcher: Watcher, patience: Patience) -> Checked:
    place = directory / download.place
    digest = pooch.file_hash(str(place)) if place.is_file() else ""
    found = digest != "" and download.sha256 in (None, digest)
    if not found:
        if digest and offline:
            raise unexpected(str(place), digest, download.sha256)
        place.parent.mkdir(parents=True, exist_ok=True)
        digest = Transfer(download.url, place, sha256=download.sha256, watcher=watcher, patience=patience).run()
    if download.contents is not None:
        _take(download, directory, theirs=found, watcher=watcher)
    return Checked(download.url, digest, expected=download.sha256 is not None)


def _take(download: Download, directory: Path, *, theirs: bool, watcher: Watcher) -> None:
    """Unpacks an archive, which then goes unless somebody put it there. A disk too full for its files costs it not."""
    archive = directory / download.place
    watcher.say(f"{archive.name}: unpacking")
    try:
        _unpack(download, archive, directory)
    except InputError:
        if not theirs:
            archive.unlink()  # broken
        raise
    if theirs:
        watcher.say(f"{archive} was there before and stays; it is needed no more")
    else:
        archive.unlink()


def _unpack(download: Download, archive: Path, directory: Path) -> None:
    """Writes the files that are missing, each beside its place, then gives them their names."""
    assert download.contents is not None
    missing = {path.relative_to(directory).as_posix(): path for path in _missing(download, directory)}
    beside = {name: path.with_name(path.name + ".part") for name, path in missing.items()}
    try:
        for path in beside.values():
            path.parent.mkdir(parents=True, exist_ok=True)
        download.contents.unpack(archive, beside)
        for name, path in missing.items():
            beside[name].replace(path)
    finally:
        for path in beside.values():
            path.unlink(missing_ok=True)


def _missing(download: Download, directory: Path) -> list[Path]:
    return [path for path in (directory / name for name in download.files) if not path.is_file()]


def _listed(names: Sequence[str], *, most: int = 3) -> str:
    """The first names, then how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
