"""A process that has imported torch once, and forks for every command that a page shows.

`python tests/docs/warm.py SOCKET` listens there. A command's own process has the caller's folder, arguments, standard
streams and nothing else of it; whatever stands behind PATH's `readhead` and `python` while pages are run asks it.
"""

from __future__ import annotations

import gc
import io
import json
import os
import runpy
import signal
import socket
import sys
import traceback
from importlib import import_module
from pathlib import Path

from readhead.cli.verbs import VERBS

CALLER = """#!{python} -IS
import json, os, signal, socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect({address!r})
    words = json.dumps([{program!r}, os.getcwd(), *sys.argv[1:]]).encode()
    socket.send_fds(asked, [len(words).to_bytes(4, "big")], [0, 1, 2])
    asked.sendall(words)
    process = int.from_bytes(asked.recv(4), "big")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: os.kill(process, number))
    sys.exit(int.from_bytes(asked.recv(1) or bytes([70]), "big"))
"""
"""What stands as `readhead` and `python` on the PATH: it hands over what it was called with, hands on signals, and
waits."""


HEAVY = (
    *("readhead.cli.main", *(f"readhead.cli.{verb}" for verb in VERBS)),
    *("readhead.prediction.predictor", "readhead.prediction.evaluation", "readhead.training.start"),
    *("readhead.pretrained.reader", "readhead.explain.html", "readhead.serve.app"),
    *(f"readhead.ops.{op}" for op in ("attend", "lstmn", "fusion", "nse")),
    *("accelerate", "torch._dynamo", "torchmetrics", "pooch"),  # what training and scoring import on their way
    *("onnxruntime", "onnxscript"),
)
"""Imported once, for a command to be quick: what more than one of them needs."""


def serve(address: str) -> None:
    """Answers until it is killed."""
    import torch

    for module in HEAVY:
        import_module(module)
    torch.set_num_threads(1)
    gc.freeze()  # a collection would touch, and so copy, every object that a new process shares with this one
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the processes
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        while True:
            caller, _ = listening.accept()
            with caller:
                if os.fork() == 0:
                    listening.close()
                    _work(caller)


def _work(caller: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    head, streams, _, _ = socket.recv_fds(caller, 4, 3)
    words = b""
    while len(words) < int.from_bytes(head, "big"):
        words += caller.recv(65536)
    caller.sendall(os.getpid().to_bytes(4, "big"))
    program, folder, *arguments = json.loads(words)
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
    os.chdir(folder)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0)), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w")), encoding="utf-8", line_buffering=True)
    sys.stderr = io.TextIOWrapper(io.BufferedWriter(io.FileIO(2, "w")), encoding="utf-8", line_buffering=True)
    status = _status(program, arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    caller.sendall(bytes([status]))
    os._exit(status)


def _status(program: str, arguments: list[str]) -> int:
    from readhead.cli.main import run

    try:
        if program == "readhead":
            run(arguments)
        sys.argv = arguments
        sys.path.insert(0, str(Path(arguments[0]).parent))
        runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    except BaseException:  # noqa: BLE001 - as the interpreter does, whatever it is
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    serve(sys.argv[1])
