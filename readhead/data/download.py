"""One file over HTTP: a download that was cut goes on where it ended, with the next attempt or the next call."""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

import pooch
import requests
import urllib3

from readhead.errors import InputError

_CHUNK = 1 << 14  # bytes; of one that does not come whole in time nothing is kept
_BUSY = {408, 429, 500, 502, 503, 504}  # answers that another attempt may change


class Watcher(Protocol):
    """What is told of a download while it runs."""

    def say(self, line: str) -> None:
        """One line for people."""
        ...

    def begin(self, name: str, have: int, total: int | None) -> None:
        """Bytes begin to come: `have` of `total` are there already; None where the server does not say how many."""
        ...

    def advance(self, count: int) -> None:
        """So many bytes more have come."""
        ...

    def end(self) -> None:
        """No more come, since all are there or since the connection was cut."""
        ...


class Unwatched:
    """Nobody looks."""

    def say(self, line: str) -> None:
        """One line for people."""

    def begin(self, name: str, have: int, total: int | None) -> None:
        """Bytes begin to come."""

    def advance(self, count: int) -> None:
        """So many bytes more have come."""

    def end(self) -> None:
        """No more come."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one tries.

    attempts: in a row that bring nothing new; an attempt that brings some bytes starts the count anew.
    pause: seconds before the second attempt; each further pause is twice the one before.
    timeout: seconds that a server may take to answer, and that may pass without a byte.
    """

    attempts: int = 5
    pause: float = 1.0
    timeout: float = 30.0


def unexpected(what: str, digest: str, sha256: str | None) -> InputError:
    """That a file is another than the one wanted. what: the file or its address."""
    return InputError(f"{what} is not the file expected: its SHA-256 is {digest}, not {sha256}")


class Cut(Exception):
    """An attempt ended early, and another may succeed."""


class Transfer:
    """One file on its way from an address to `place`.

    The bytes lie in `part`, beside `place`, until all are there and their checksum is right: only then do they get the
    file's name. `part` stays when a transfer fails or is killed, so that nothing comes twice. (`pooch.retrieve` begins
    at the first byte each time, and a kill leaves its temporary file behind.)

    url: the address.
    place: where the file goes; what lies there is replaced.
    sha256: of the file, in hexadecimal; None if not known.
    watcher: is told of the bytes.
    patience: how long to try.
    """

    def __init__(self, url: str, place: Path, *, sha256: str | None, watcher: Watcher, patience: Patience) -> None:
        self.url, self.place, self.sha256 = url, place, sha256
        self.watcher, self.patience = watcher, patience
        self.part = place.with_name(place.name + ".part")
        self._pieced = False  # whether the bytes are of more than one answer

    def run(self) -> str:
        """Downloads. Returns the file's SHA-256.

        Raises:
            InputError: the address gives no file or another one, the server is gone for good, or another process is
                at it.
            OSError: `place` cannot be written.
        """
        with _locked(self.part) as file:
            digest = self._filled(file)
            if self._wrong(digest) and self._pieced:
                self.watcher.say(f"{self.place.name}: its pieces are not of one file; from the beginning")
                _empty(file)
                digest = self._filled(file)
            if self._wrong(digest):
                self.part.unlink()
                raise unexpected(self.url, digest, self.sha256)
            self.part.replace(self.place)
        return digest

    def _wrong(self, digest: str) -> bool:
        return self.sha256 not in (None, digest)

    def _filled(self, file: IO[bytes]) -> str:
        """Downloads what is missing. Returns the checksum of all."""
        failures, farthest = 0, file.tell()
        while True:
            try:
                self._attempt(file)
                return self._digest(file)
            except Cut as cut:
                failures = failures + 1 if file.tell() <= farthest else 1
                farthest = max(farthest, file.tell())
                if failures >= self.patience.attempts:
                    # Some servers tell too great a length: the checksum knows better.
                    digest = self._digest(file)
                    if digest == self.sha256:
                        return digest
                    kept = "; what has come is kept, and the same command goes on from there" if file.tell() else ""
                    raise InputError(f"{self.url} cannot be fetched: {cut} ({failures} times){kept}") from cut
                pause = self.patience.pause * 2 ** (failures - 1)
                self.watcher.say(f"{self.place.name}: {cut}; once more in {pause:g} s")
            time.sleep(pause)

    def _digest(self, file: IO[bytes]) -> str:
        file.flush()
        os.fsync(file.fileno())
        digest: str = pooch.file_hash(str(self.part))
        return digest

    def _attempt(self, file: IO[bytes]) -> None:
        have = file.tell()
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        try:
            with requests.get(self.url, headers=headers, stream=True, timeout=self.patience.timeout) as response:
                if response.status_code == 416:
                    self._pieced = True
                    _check_end(response, file)
                else:
                    _check_answer(response)
                    self._receive(response, file)
        except requests.RequestException as error:
            raise _told(self.url, error) from error

    def _receive(self, response: requests.Response, file: IO[bytes]) -> None:
        """Adds the bytes of an answer to those that are there, behind them or in their place."""
        begin = 0 if response.status_code == 200 else _sizes(response)[0]
        if begin is None or begin > file.tell():
            _empty(file)
            raise Cut("asked for the rest, the server sent another part")
        self._pieced = begin > 0
        if begin < file.tell():
            self.watcher.say(f"{self.place.name}: the server does not resume; from the beginning")
            file.truncate(begin)
            file.seek(begin)
        length = response.headers.get("Content-Length", "")
        total = begin + int(length) if length.isdecimal() else None
        self.watcher.begin(self.place.name, begin, total)
        try:
            # Not iter_content, which unpacks what a server says is packed: the file is wanted as it lies there.
            for chunk in response.raw.stream(_CHUNK, decode_content=False):
                file.write(chunk)
                self.watcher.advance(len(chunk))
        except urllib3.exceptions.ReadTimeoutError as error:
            raise Cut("the server went silent") from error
        except urllib3.exceptions.HTTPError as error:
            raise Cut(_cut_at(file.tell(), total)) from error
        finally:
            self.watcher.end()
        if total is not None and file.tell() < total:
            raise Cut(_cut_at(file.tell(), total))


def _check_end(response: requests.Response, file: IO[bytes]) -> None:
    """Nothing lies behind the bytes that we have. Raises: Cut unless they are as many as the server's."""
    if _sizes(response)[1] != file.tell():
        _empty(file)
        raise Cut("what had come is no beginning of what the server has")


def _check_answer(response: requests.Response) -> None:
    """Raises: Cut or InputError unless the answer is a file."""
    answer = f"the server answers {response.status_code} {response.reason}"
    if response.status_code in _BUSY:
        raise Cut(answer)
    if response.status_code not in (200, 206):
        raise InputError(f"{response.url} cannot be fetched: {answer}")
    if response.headers.get("Content-Type", "").startswith("text/html"):
        # The page of a hotel's network, or of a login: it must not take the place of what has come.
        raise InputError(f"{response.url} cannot be fetched: the server answers with a web page, not with the file")


def _sizes(response: requests.Response) -> tuple[int | None, int | None]:
    """The first byte and the file's length that `Content-Range` tells: "bytes 5-8/9", "bytes */9"."""
    match = re.fullmatch(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)", response.headers.get("Content-Range", ""))
    return (int(match[1]) if match and match[1] else None, int(match[2]) if match and match[2] != "*" else None)


def _told(url: str, error: requests.RequestException) -> Exception:
    """What an attempt that ended so is: `Cut` if another may succeed."""
    if isinstance(error, requests.exceptions.SSLError):
        return InputError(f"{url} cannot be fetched: the server's certificate is not trusted")
    if isinstance(error, requests.exceptions.Timeout):
        return Cut("the server does not answer in time")
    if isinstance(error, requests.exceptions.ConnectionError):
        return Cut("no connection to the server; is there a network?")
    return InputError(f"{url} cannot be fetched: {error}")


def _cut_at(have: int, total: int | None) -> str:
    return f"the download was cut off after {have:,} of {'?' if total is None else f'{total:,}'} bytes"


def _empty(file: IO[bytes]) -> None:
    file.truncate(0)
    file.seek(0)


@contextmanager
def _locked(part: Path) -> Iterator[IO[bytes]]:
    """`part`, to be written on from its end by nobody else. Raises: InputError if somebody is at it."""
    with part.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError("another process is fetching this file", file=part) from error
        file.seek(0, os.SEEK_END)
        try:
            yield file
        finally:
            file.flush()
            if os.fstat(file.fileno()).st_size == 0:
                part.unlink(missing_ok=True)  # an attempt that brought nothing leaves nothing
