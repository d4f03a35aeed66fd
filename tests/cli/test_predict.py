"""`readhead predict`: a line in, a line out, in order, whatever stands in it."""

from __future__ import annotations

import io
import json
import os
import select
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from readhead.cli.main import status_of
from tests.cli.refusals import files_below, refusal
from tests.tiny import pairs

PAIR = {"premise": "The baker sings.", "hypothesis": "A baker sings."}
TEXTS = {
    "one-word": "word",
    "empty": "",
    "ten-thousand": "word " * 10_000,
    "emoji": "😀👩‍👩‍👧 🇪🇺",
    "right-to-left": "שלום עולם مرحبا",
}


def lines_of(rows: list[dict[str, str]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def answers_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_answers_stand_in_the_order_of_the_questions(run_cli: Any, pair_run: Path) -> None:
    # Texts of different lengths, so that batches are formed in another order than that of the lines.
    rows = [{"premise": row["premise"] * (1 + i % 5), "hypothesis": row["hypothesis"]} for i, row in enumerate(pairs())]
    ended = run_cli("predict", pair_run, stdin=lines_of(rows))
    assert (ended.status, ended.stderr) == (0, "")
    together = answers_of(ended.stdout)
    assert len(together) == len(rows)
    for row, answer in list(zip(rows, together, strict=True))[::7]:
        (alone,) = answers_of(run_cli("predict", pair_run, stdin=lines_of([row])).stdout)
        assert alone["label"] == answer["label"]
        assert alone["scores"] == pytest.approx(answer["scores"], abs=1e-6)


def test_an_answer_is_a_label_and_scores_that_sum_to_one(run_cli: Any, pair_run: Path) -> None:
    (answer,) = answers_of(run_cli("predict", pair_run, stdin=lines_of([PAIR])).stdout)
    assert set(answer) == {"label", "scores"}
    assert set(answer["scores"]) == {"entailment", "neutral", "contradiction"}
    assert answer["label"] == max(answer["scores"], key=answer["scores"].get)
    assert sum(answer["scores"].values()) == pytest.approx(1)


def test_single_texts_are_answered_by_a_reader_of_single_texts(run_cli: Any, text_run: Path) -> None:
    (answer,) = answers_of(run_cli("predict", text_run, stdin='{"text": "It works."}\n').stdout)
    assert set(answer["scores"]) == {"1", "2", "3", "4", "5"}


def test_files_and_pipes_give_the_same(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    asked, answered = tmp_path / "asked.jsonl", tmp_path / "answered.jsonl"
    asked.write_text(lines_of([PAIR, PAIR]))
    printed = run_cli("predict", pair_run, "--input", "-", "--output", "-", stdin=asked.read_text()).stdout
    ended = run_cli("predict", pair_run, "--input", asked, "--output", answered)
    assert (ended.status, ended.stdout) == (0, "")
    assert answered.read_text() == printed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answered.jsonl", "asked.jsonl"]


def test_named_pipes_are_read_and_written(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    asked, answered = tmp_path / "asked", tmp_path / "answered"
    os.mkfifo(asked)
    os.mkfifo(answered)
    told: list[str] = []
    threads = [
        threading.Thread(target=asked.write_text, args=(lines_of([PAIR]),)),
        threading.Thread(target=lambda: told.append(answered.read_text())),
    ]
    for thread in threads:
        thread.start()
    assert run_cli("predict", pair_run, "--input", asked, "--output", answered).status == 0
    for thread in threads:
        thread.join()
    assert "scores" in told[0]
    assert answered.is_fifo(), "a pipe was replaced by a file"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"nonsense", "not valid JSON"),
        (b'{"premise": "x"}', 'the field "hypothesis" is missing'),
        (b'{"premise": 3, "hypothesis": "y"}', 'the field "premise" must be a string, not a number'),
        (b'{"premise": null, "hypothesis": "y"}', 'the field "premise" must be a string, not null'),
        (b'["a", "b"]', "expected an object"),
        (b'{"premise": "caf\xe9", "hypothesis": "y"}', "not UTF-8: byte 0xe9"),
        (b"\xff\xfe", "not UTF-8: byte 0xff"),
        (b'{"premise": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (b'{"premise": ' + b"[" * 100_000, "not valid JSON"),
        (b'{"premise": "cut', "not valid JSON"),
    ],
    ids=["words", "missing", "number", "null", "list", "latin-1", "utf-16", "long-number", "nested", "cut"],
)
@pytest.mark.parametrize("source", ["stdin", "file"])
def test_a_bad_line_yields_an_error_in_its_place(
    *,
    pair_run: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: bytes,
    error: str,
    source: str,
) -> None:
    good = json.dumps(PAIR).encode()
    data = b"\n".join([good, line, good]) + b"\n"
    asked, answered = tmp_path / "asked.jsonl", tmp_path / "answered.jsonl"
    asked.write_bytes(data)
    given = ["--input", str(asked)] if source == "file" else []
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert status_of(["predict", str(pair_run), "--output", str(answered), *given]) == 0
    first, bad, last = answers_of(answered.read_text())
    assert first == last
    assert bad.keys() == {"error", "line"}
    assert bad["line"] == 2
    assert error in bad["error"]


@pytest.mark.parametrize("source", ["stdin", "file"])
def test_a_byte_order_mark_and_windows_line_ends_are_no_mistake(
    run_cli: Any, pair_run: Path, tmp_path: Path, source: str
) -> None:
    text = "\ufeff" + lines_of([PAIR, PAIR]).replace("\n", "\r\n")
    asked = tmp_path / "asked.jsonl"
    asked.write_bytes(text.encode())
    given = ("--input", asked) if source == "file" else ()
    ended = run_cli("predict", pair_run, *given, stdin=text)
    assert all("scores" in answer for answer in answers_of(ended.stdout))
    assert len(answers_of(ended.stdout)) == 2


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_any_text_is_answered(run_cli: Any, pair_run: Path, text: str) -> None:
    rows = [{"premise": text, "hypothesis": text}, {"premise": text, "hypothesis": "A baker sings."}]
    ended = run_cli("predict", pair_run, stdin=lines_of(rows))
    assert ended.status == 0
    both, one = answers_of(ended.stdout)
    assert sum(both["scores"].values()) == pytest.approx(1)
    long = len(text.split()) > 400
    assert both.get("truncated") == (["premise", "hypothesis"] if long else None)
    assert one.get("truncated") == (["premise"] if long else None)


def test_no_line_gives_no_answer(run_cli: Any, pair_run: Path) -> None:
    ended = run_cli("predict", pair_run, stdin="")
    assert (ended.status, ended.stdout, ended.stderr) == (0, "", "")


def test_a_line_in_a_pipe_is_answered_before_the_next_one_is_asked(pair_run: Path) -> None:
    command = [sys.executable, "-m", "readhead", "predict", str(pair_run), "--threads", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin and process.stdout
        for _ in range(3):
            process.stdin.write(json.dumps(PAIR).encode() + b"\n")
            there, _, _ = select.select([process.stdout], [], [], 60)
            assert there, "no answer within a minute; it waits for more lines"
            assert "scores" in json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(timeout=60) == 0


def test_endless_input_is_answered_as_it_comes_until_nobody_reads(pair_run: Path) -> None:
    command = [sys.executable, "-m", "readhead", "predict", str(pair_run), "--threads", "1"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin and process.stdout and process.stderr
    writer = threading.Thread(target=_write_until_refused, args=(process.stdin,))
    writer.start()
    answered = [json.loads(process.stdout.readline()) for _ in range(1000)]
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    writer.join()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert answered == answered[:1] * 1000


def _write_until_refused(stream: Any) -> None:
    line = json.dumps(PAIR) + "\n"
    with suppress(BrokenPipeError):
        while True:
            stream.write(line)
    with suppress(BrokenPipeError):  # what is still in its buffer
        stream.close()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("predict", "{d}/nothing"), "{d}/nothing: no such run directory"),
        (("predict", "{run}", "--input", "{d}/no.jsonl"), "{d}/no.jsonl: no such file; expected JSON lines"),
        (("predict", "{run}", "--input", "{d}"), "{d}: no such file; expected JSON lines"),
        (("predict", "{run}", "--output", "{d}"), "{d}: this is a folder; expected a file to write"),
        (("predict", "{run}", "--output", "{d}/no/out"), "{d}/no: there is no such folder to write to"),
        (("predict", "{run}", "--device", "gpu"), "--device gpu: expected auto, cpu, cuda or cuda:N"),
    ],
)
def test_what_it_refuses(run_cli: Any, pair_run: Path, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    given = [argument.format(d=tmp_path, run=pair_run) for argument in arguments]
    assert refusal(run_cli(*given, stdin=lines_of([PAIR]))) == told.format(d=tmp_path)
    assert files_below(tmp_path) == {}


def test_below_a_probability_the_label_is_left_out(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    line = json.dumps({"premise": "The baker sleeps.", "hypothesis": "A baker sleeps."})
    (tmp_path / "in").write_text(f"{line}\n{{\n")
    plain, least = (
        [
            json.loads(told)
            for told in run_cli("predict", pair_run, "--input", tmp_path / "in", *more).stdout.splitlines()
        ]
        for more in ((), ("--abstain", "1"))
    )
    assert least == [{**plain[0], "label": None}, plain[1]]
    assert "error" in plain[1]
