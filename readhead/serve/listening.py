"""The socket that is served on."""

from __future__ import annotations

import errno
import socket

from readhead.errors import InputError

BACKLOG = 2048


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; whoever connects before the runs are loaded waits until they are.

    port: 0 = any that is free.
    Raises: InputError if it is taken, or there is no such address.
    """
    where = f"--host {host} --port {port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"--host {host}: there is no such address: {why}") from None
    found = socket.socket(family, kind, protocol)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        raise InputError(f"{where}: {_why(error)}") from None
    return found


def _why(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "the port is in use; expected a free one (--port 0 finds one)"
    return f"cannot be listened on: {error.strerror}"
