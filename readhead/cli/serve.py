"""`readhead serve`: HTTP over runs, and a page to play with."""

from __future__ import annotations

import gc
import logging
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from readhead.cli.options import DeviceOption, check_threads, seconds
from readhead.cli.options import device as usable_device

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("serve")(serve)


def serve(
    runs: Annotated[list[str], typer.Argument(metavar="RUN", help="Directories, shipped models' names, or NAME=DIR.")],
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 = everywhere.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 = any that is free.")] = 8080,
    api_key_file: Annotated[
        Path | None, typer.Option("--api-key-file", metavar="FILE", help="A key a line; asked for by all but /health.")
    ] = None,
    batch: Annotated[int, typer.Option("--batch", min=1, help="Texts that are read at once, at most.")] = 64,
    queue: Annotated[int, typer.Option("--queue", min=1, help="Texts that may wait for a run; then 429.")] = 4096,
    body: Annotated[int, typer.Option("--body", metavar="BYTES", min=1, help="Of a request, at most; then 413.")] = 2
    ** 21,
    timeout: Annotated[
        str, typer.Option("--timeout", metavar="T", help="For one answer, such as 30s; then 504.")
    ] = "30s",
    device: DeviceOption = "cpu",
    threads: Annotated[int, typer.Option("--threads", min=1, help="CPU threads of each run.")] = 1,
) -> None:
    """Answer over HTTP: /v1/predict, /v1/rerank, /v1/explain, /v1/stream; a page at /, the API at /docs.

    Each run reads in a thread of its own, and reads together whatever waits. SIGTERM ends it: what has come in is still
    answered, and the exit status is 0.
    """
    from readhead.serve.keys import Keys
    from readhead.serve.limits import Limits
    from readhead.serve.listening import listen
    from readhead.serve.names import runs_by_name

    limits = Limits(body=body, queue=queue, batch=batch, seconds=seconds(timeout) or 0.0)
    check_threads(threads)
    keys = Keys() if api_key_file is None else Keys.open(api_key_file)
    folders = runs_by_name(runs, tell=lambda note: print(f"note: {note}", file=sys.stderr))
    listening = listen(host, port)
    where = usable_device(device)
    import torch

    from readhead.run import Run
    from readhead.serve import server
    from readhead.serve.app import Service
    from readhead.serve.metrics import Metrics
    from readhead.serve.served import Served

    torch.set_num_threads(threads)
    logging.basicConfig(format="readhead: %(message)s", level=logging.WARNING)
    opened = {name: Run.open(folder, device=where) for name, folder in folders.items()}
    metrics = Metrics()
    served = [Served.begin(name, run, limits=limits, metrics=metrics, threads=threads) for name, run in opened.items()]
    service = Service(served, limits=limits, metrics=metrics, keys=keys)
    # What is loaded stays: the collector need not look through it again and again, while requests wait.
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    address = _address(host, listening.getsockname()[1])
    ended_by = server.serve(service, listening, ready=lambda: _tell(address, host, keys, list(opened)))
    if ended_by == signal.SIGINT:
        raise KeyboardInterrupt


def _address(host: str, port: int) -> str:
    shown = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _tell(address: str, host: str, keys: object, names: list[str]) -> None:
    """What is served where, on standard error; standard output is for answers."""
    print(f"readhead: {', '.join(names)} at {address} (API: {address}/docs; Ctrl-C ends)", file=sys.stderr)
    if host not in LOOPBACK and not keys:
        print("note: whoever reaches this machine can ask; --api-key-file asks for a key", file=sys.stderr)
