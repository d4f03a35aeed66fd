"""API keys: where they are kept, and whether a request carries one."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Iterable, Sequence
from pathlib import Path

from readhead.errors import InputError

Headers = Iterable[tuple[bytes, bytes]]


class Keys:
    """The keys that open the service; without any it is open.

    keys: each at least 8 printable ASCII characters, no spaces.
    """

    def __init__(self, keys: Sequence[bytes] = ()) -> None:
        self._keys = tuple(keys)

    @classmethod
    def open(cls, path: Path) -> Keys:
        """From a file with a key a line; blank lines and those that begin with # count for nothing.

        Raises: InputError, which never shows a key, where it holds none, or one that no header can carry.
        """
        try:
            lines = path.read_bytes().splitlines()
        except FileNotFoundError:
            raise InputError("--api-key-file: no such file; expected one with a key a line", file=path) from None
        keys = []
        for number, line in enumerate(map(bytes.strip, lines), start=1):
            if not line or line.startswith(b"#"):
                continue
            if len(line) < 8 or not all(0x21 <= byte <= 0x7E for byte in line):
                told = "expected a key of at least 8 printable ASCII characters without spaces"
                raise InputError(told, file=path, line=number)
            keys.append(line)
        if not keys:
            raise InputError("this file holds no key; expected one a line", file=path)
        return cls(keys)

    def __bool__(self) -> bool:
        return bool(self._keys)

    def open_to(self, headers: Headers) -> bool:
        """Whether a request may come in: with `X-API-Key: KEY`, `Authorization: Bearer KEY`, or as a Basic password.

        The last is what browsers ask their user for. How long it takes tells nothing of the keys but their lengths.
        """
        if not self._keys:
            return True
        given = [key for name, value in headers if (key := _key(name, value)) is not None]
        # Every key is compared, whichever fits.
        fits = [hmac.compare_digest(key, own) for key in given for own in self._keys]
        return any(fits)


def _key(name: bytes, value: bytes) -> bytes | None:
    if name == b"x-api-key":
        return value.strip()
    if name != b"authorization":
        return None
    scheme, _, rest = value.strip().partition(b" ")
    if scheme.lower() == b"bearer":
        return rest.strip()
    if scheme.lower() == b"basic":
        try:
            return base64.b64decode(rest.strip(), validate=True).partition(b":")[2]
        except binascii.Error:
            return None
    return None
