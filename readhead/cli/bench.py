"""`readhead bench`: how fast, against the reference, torch.nn.LSTM and bare matrix products, in one run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from readhead.cli.options import CorporaOption, DeviceOption, JSONOption, check_threads, print_json, run_folder
from readhead.cli.options import device as usable_device
from readhead.cli.table import print_table
from readhead.errors import InputError
from readhead.schema import nearest

Row = dict[str, Any]


class Timed(StrEnum):
    """What can be timed."""

    ops = "ops"
    training = "training"
    inference = "inference"
    loading = "loading"
    serve = "serve"
    own = "own"


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("bench")(bench)


def bench(
    what: Annotated[
        Timed, typer.Argument(metavar="[ops|training|inference|loading|serve|own]", show_default=False)
    ] = Timed.ops,
    device: DeviceOption = "cpu",
    threads: Annotated[int, typer.Option("--threads", min=1, help="CPU threads.")] = 1,
    of: Annotated[
        list[str] | None, typer.Option("--op", metavar="OP[:B,T,H]", help="Of ops, this alone; repeatable.")
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option("--run", metavar="RUN", help="Of serve: the run that is served.", callback=run_folder),
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", min=0, help="Of serve: how long the load lasts.")] = 10.0,
    corpora: CorporaOption = None,
    data: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Of own, this data alone; repeatable.")] = None,
    vectors: Annotated[Path | None, typer.Option(metavar="FILE", help="Of own: word vectors to try too.")] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Of own: trainings of each kind.")] = 3,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Of own: instead of the defaults.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A few rounds, to see that it works.")] = False,
    as_json: JSONOption = False,
) -> None:
    """Time the ops (default), training steps, inference, loading 549,367 pairs, or serving a run, in one run.

    `own` scores instead: SST and IMDB's openings as a user's own files, trained on with the defaults, beside TF-IDF and
    logistic regression.

    Times are medians and minima of turns taken A B A B; a ratio says how many times as long something takes.
    A row is disturbed if its ratios of medians and of minima still differ by over 10 % after two reruns.
    Peak MB: the most that tensors made by the call hold at one time, inputs and parameters not counted.
    Saved: the MB kept for the backward. Neither sees what native code allocates for itself.
    """
    if (what is Timed.serve) != (run is not None):
        raise InputError("--run RUN belongs to serve: it says what is served")
    if run is not None:
        _bench_serving(run, minutes, quick, as_json)
        return
    if what is Timed.own:
        from readhead.cli.own_bench import bench_own

        given = {"data": data or [], "vectors": vectors, "seeds": seeds, "changes": changes or []}
        bench_own(corpora, **given, threads=threads, as_json=as_json)  # type: ignore[arg-type]
        return
    where = usable_device(device)
    import torch

    from readhead.bench import inference, loading, ops, training
    from readhead.bench.timing import using_threads

    target = torch.device(where)
    measured = {Timed.ops: ops, Timed.training: training, Timed.inference: inference, Timed.loading: loading}[what]
    rows: list[Row] = []
    check_threads(threads)
    chosen = {"wanted": _chosen(of, what, ops.sizes())} if of else {}
    with using_threads(threads):
        for row in measured.rows(target, measured.QUICK if quick else measured.FULL, **chosen):
            print(f"timed {_label(row)}", file=sys.stderr)
            rows.append(row)
    if what is Timed.ops:
        for sentence in ops.not_timed(target):
            print(f"readhead: {sentence}", file=sys.stderr)
    if as_json:
        print_json(rows)
    else:
        PRINTERS[what](rows)
        _print_circumstances(rows)


def _bench_serving(run: Path, minutes: float, quick: bool, as_json: bool) -> None:
    from readhead.serve.load.figures import QUICK, Plan, figures

    plan = QUICK if quick else Plan(minutes=minutes)
    found = figures(run, plan, tell=lambda line: print(f"measuring {line}", file=sys.stderr))
    if as_json:
        print_json(found)
    else:
        _print_serving(found)


def _print_serving(found: Row) -> None:
    single, drawn, many, endured = (found[part] for part in ("single", "pictures", "throughput", "endurance"))
    bare, http = single["bare_ms"], single["http_ms"]
    print(
        f"one request: {http['p50']:.2f} ms (p99 {http['p99']:.2f}), a bare call {bare['p50']:.2f} ms\n"
        f"  ratio {single['ratio']:.2f} (limit: at most {single['most_ratio']}: {_verdict(single['kept'])})\n"
        f"a picture: {drawn['http_ms']['p50']:.1f} ms (p99 {drawn['http_ms']['p99']:.1f}; "
        f"limit: at most {drawn['most_ms']:g}: {_verdict(drawn['kept'])})\n"
        f"{many['clients']} clients: {many['batching_per_second']:,.0f} requests/s; "
        f"one at a time {many['one_at_a_time_per_second']:,.0f}\n"
        f"  ratio {many['ratio']:.2f} (limit: at least {many['least_ratio']}: {_verdict(many['kept'])})"
    )
    if endured is not None:
        told = "too short to tell" if endured["growth"] is None else f"{endured['growth']:+.1%}"
        print(
            f"{endured['minutes']:g} minutes: {endured['requests']:,} requests, {endured['items']:,} items, "
            f"{endured['bad_items']:,} of them bad,\n  {endured['vanished_requests']:,} clients vanished, "
            f"{endured['wrong']:,} answers wrong; memory {told} ({_verdict(endured['kept'])})"
        )
    print(f"load average {found['load_before']:.1f} to {found['load_after']:.1f}")


def _chosen(of: Sequence[str], what: Timed, sizes: Sequence[str]) -> Callable[[str, Sequence[int]], bool]:
    """Whether an op is timed at a size. sizes: all that can be asked for, as they are written."""
    if what is not Timed.ops:
        raise InputError(f"--op belongs to ops, not to {what}")
    for asked in of:
        if not any(size.partition(":")[0] == asked or size == asked for size in sizes):
            raise InputError(f"--op {asked}: {nearest(asked, sizes)}")
    return lambda op, shape: op in of or f"{op}:{','.join(map(str, shape))}" in of


def _print_ops(rows: Sequence[Row]) -> None:
    columns = ("backend", "median ms", "min ms", "/ nn.LSTM", "/ reference", "peak MB", "saved MB")
    for (op, (B, T, H), mode), bout in groupby(rows, key=lambda row: (row["op"], row["shape"], row["mode"])):
        print(f"{op}, {mode}: {B} texts of {T} tokens, {H} features")
        print_table("", columns, map(_op_cells, bout), numbers=range(1, 7))
        print()


def _op_cells(row: Row) -> tuple[str, ...]:
    return (
        row["backend"],
        f"{row['median_ms']:.2f}",
        f"{row['min_ms']:.2f}",
        f"{row['ratio_to_nn_lstm']:.2f}",
        f"{row['ratio_to_reference']:.2f}",
        f"{row['peak_mb']:.1f}",
        "–" if row["saved_mb"] is None else f"{row['saved_mb']:.1f}",
    )


def _print_training(rows: Sequence[Row]) -> None:
    from readhead.bench.training import LEAST_EVALUATION, MOST_TO_PRODUCTS

    for row in rows:
        step, products, evaluated = (row[key] for key in ("step_ms", "products_ms", "evaluation_ms"))
        cells = [
            (
                "training step",
                f"{step['median']:.2f}",
                f"{step['min']:.2f}",
                f"{row['pairs_per_second_training']:,.0f}",
            ),
            ("its matrix products", f"{products['median']:.2f}", f"{products['min']:.2f}", ""),
            (
                "evaluation",
                f"{evaluated['median']:.2f}",
                f"{evaluated['min']:.2f}",
                f"{row['pairs_per_second_evaluation']:,.0f}",
            ),
        ]
        print(f"{row['model']}, {row['reader']}: batches of {row['batch']} pairs, {row['padding']:.1%} padding")
        print_table("", ("", "median ms", "min ms", "pairs/s"), cells, numbers=(1, 2, 3))
        to_products, faster = row["ratio_to_products"], row["evaluation_to_training"]
        print(
            f"step / products: {to_products:.2f}, by minima {row['ratio_to_products_minima']:.2f} "
            f"(limit: at most {MOST_TO_PRODUCTS}: {_verdict(to_products <= MOST_TO_PRODUCTS)})\n"
            f"evaluation / training: {faster:.2f}, by minima {row['evaluation_to_training_minima']:.2f} "
            f"(limit: at least {LEAST_EVALUATION}: {_verdict(faster >= LEAST_EVALUATION)})\n"
            f"the products of a step are {row['gflop']:.2f} GFLOP, "
            f"done at {row['gflop'] / products['median'] * 1e3:.0f} GFLOP/s\n"
        )


def _print_inference(rows: Sequence[Row]) -> None:
    columns = ("model", "reader", "batch", "pairs/s", "median ms", "min ms")
    cells = [
        (
            row["model"],
            row["reader"],
            str(row["batch"]),
            f"{row['pairs_per_second']:,.0f}",
            f"{row['median_ms']:.2f}",
            f"{row['min_ms']:.2f}",
        )
        for row in rows
    ]
    print_table("", columns, cells, numbers=(2, 3, 4, 5))


def _print_loading(rows: Sequence[Row]) -> None:
    cells = [
        (
            row["stage"],
            f"{row['seconds']:.1f}",
            f"{row['cpu_seconds']:.1f}",
            f"{row['pairs_per_cpu_second']:,.0f}",
            f"{row['peak_mb']:,.0f}",
        )
        for row in rows
    ]
    print(f"{rows[0]['pairs']:,} generated pairs")
    print_table("", ("stage", "s", "CPU s", "pairs / CPU s", "peak MB"), cells, numbers=(1, 2, 3, 4))


PRINTERS: dict[Timed, Callable[[Sequence[Row]], None]] = {
    Timed.ops: _print_ops,
    Timed.training: _print_training,
    Timed.inference: _print_inference,
    Timed.loading: _print_loading,
}


def _label(row: Row) -> str:
    parts = (row[key] for key in ("op", "shape", "mode", "backend", "model", "reader", "batch", "stage") if key in row)
    return " ".join(map(str, parts))


def _verdict(kept: bool) -> str:
    return "kept" if kept else "MISSED"


def _print_circumstances(rows: Sequence[Row]) -> None:
    loads = [row[key] for row in rows for key in ("load_before", "load_after")]
    threads = rows[0]["threads"]
    disturbed = sum(row["disturbed"] for row in rows)
    print(f"threads: {threads}; load average {min(loads):.1f} to {max(loads):.1f}")
    if disturbed:
        print(f"disturbed: {disturbed} of {len(rows)} rows; their medians and minima disagree by over 10 %")
