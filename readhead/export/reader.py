"""A reader of text that readhead exported, in one file: it needs onnxruntime, tokenizers and numpy, and this folder.

    from reader import Reader
    Reader().answers([{"text": "A fine film."}])

    python reader.py < texts.jsonl > answers.jsonl

Records go in and come out as `readhead predict` has them: config.json tells their fields.
"""

from __future__ import annotations

import codecs
import json
import math
import re
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedIOBase
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from tokenizers import Tokenizer

Record = dict[str, Any]

SIGNS = {"null": "∅", "start": "⊢", "end": "⊣"}
MARKERS = tuple(SIGNS)  # in the order of their rows
TEXTS, TOKENS = 64, 8192  # read at once, at most; padding is counted
CHUNK = 65_536  # bytes of input that are answered together

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNDECODED = re.compile("[\udc80-\udcff]")
_JSON_WORDS = {str: "a string", bool: "true or false", int: "a number", float: "a number", list: "a list"}


class Vocabulary:
    """Words and their rows: padding, one row or a hundred for words it does not know, three markers, the words.

    path: vocabulary.txt, row r in line r + 1.
    """

    def __init__(self, path: Path) -> None:
        entries = path.read_bytes().decode("utf-8", "surrogatepass").split("\n")[:-1]
        self.unknown = range(1, entries.index("<null>"))
        first_word = self.unknown.stop + len(MARKERS)
        self.rows = {entry: row for row, entry in enumerate(entries) if row >= first_word}

    def row(self, word: str) -> int:
        """Of a word that is unknown always the same one, by a checksum."""
        checksum = zlib.crc32(word.encode("utf-8", "surrogatepass"))
        return self.rows.get(word) or self.unknown[checksum % len(self.unknown)]

    def marker(self, name: str) -> int:
        """The row of `null`, `start` or `end`."""
        return self.unknown.stop + MARKERS.index(name)


class Encoded(NamedTuple):
    """A text in rows of the vocabulary, its tokens, and whether it was cut."""

    rows: list[int]
    tokens: list[str]
    cut: bool


class Reader:
    """Answers records.

    folder: what readhead exported; where this file lies, if none is given.
    threads: of one answer; None = as many as there are cores.
    """

    def __init__(self, folder: Path | str | None = None, *, threads: int | None = None) -> None:
        path = Path(__file__).parent if folder is None else Path(folder)
        self.config: dict[str, Any] = json.loads((path / "config.json").read_text(encoding="utf-8"))
        self.vocabulary = Vocabulary(path / "vocabulary.txt")
        self.tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads or 0
        self.session = onnxruntime.InferenceSession(str(path / "model.onnx"), options)

    def answers(self, records: Sequence[Mapping[str, Any]]) -> list[Record]:
        """One answer for each record, in their order; a bad record's is its `error`.

        They are `label` and `scores`, and `groups` where labels are grouped; a `ranking`; or `perplexity`, and the
        `surprisal` of each of the `tokens` in bits, and the places of those that are `unknown`. `truncated` names the
        texts that were cut.
        """
        wrong = [self.what_is_wrong(record) for record in records]
        readings = [[] if bad else self._readings(record) for record, bad in zip(records, wrong, strict=True)]
        told = iter(self._read([texts for each in readings for texts in each]))
        answered = [[next(told) for _ in each] for each in readings]
        return [
            {"error": bad} if bad else self._record(texts, answers)
            for bad, texts, answers in zip(wrong, readings, answered, strict=True)
        ]

    def what_is_wrong(self, record: Any) -> str:
        """Why a record can't be answered; empty if it can."""
        expected = "expected an object with " + ", ".join(f'"{self._key(field)}"' for field in self.config["fields"])
        if not isinstance(record, dict):
            return expected
        for field in self.config["fields"]:
            key, several = self._key(field), field == self.config["several"]
            if key not in record:
                return f'the field "{key}" is missing; {expected}'
            if wrong := _not_listed(record[key]) if several else _no_string(record[key]):
                return f'the field "{key}" must be {wrong}'
        if self.config["answers"] == "surprisal" and record.get("continue"):
            return '"continue": an exported model draws no words; `readhead predict` does'
        return ""

    def _key(self, field: str) -> str:
        return f"{field}s" if field == self.config["several"] else str(field)

    def _readings(self, record: Mapping[str, Any]) -> list[dict[str, str]]:
        """The texts that are read together: one set of them, or one for each that is to be ranked."""
        several = self.config["several"]
        shared = {field: record[field] for field in self.config["fields"] if field != several}
        return [shared] if several is None else [{**shared, several: text} for text in record[f"{several}s"]]

    def _record(self, texts: Sequence[Mapping[str, str]], answers: Sequence[Record]) -> Record:
        several = self.config["several"]
        if several is None:
            return answers[0]
        order = sorted(range(len(answers)), key=lambda place: -answers[place]["logit"])
        told = [{k: v for k, v in answer.items() if k != "logit"} for answer in answers]
        return {"ranking": [{several: texts[i][several], **told[i], "place": i} for i in order]}

    def _read(self, texts: Sequence[Mapping[str, str]]) -> list[Record]:
        encoded = [{field: self._encode(one[field]) for field in self.config["reads"]} for one in texts]
        answered: list[Record] = [{} for _ in texts]
        for places in _batches([sum(len(text.rows) for text in one.values()) for one in encoded]):
            batch = [encoded[place] for place in places]
            for place, numbers in zip(places, self._run(batch), strict=True):
                answered[place] = {**self._told(numbers, encoded[place]), **_truncated(encoded[place])}
        return answered

    def _encode(self, text: str) -> Encoded:
        most, first, last = (self.config[key] for key in ("max_tokens", "first", "last"))
        words = self.tokenizer.encode(_SURROGATE.sub("\ufffd", text), add_special_tokens=False).tokens
        before, behind = ([name] if name else [] for name in (first, last))
        rows = [self.vocabulary.row(word) for word in words[:most]]
        return Encoded(
            [*map(self.vocabulary.marker, before), *rows, *map(self.vocabulary.marker, behind)],
            [*(SIGNS[name] for name in before), *words[:most], *(SIGNS[name] for name in behind)],
            len(words) > most,
        )

    def _run(self, batch: Sequence[Mapping[str, Encoded]]) -> list[np.ndarray]:
        given: dict[str, np.ndarray] = {}
        for field in self.config["reads"]:
            lengths = np.array([len(one[field].rows) for one in batch])
            mask = np.arange(max(1, lengths.max())) < lengths[:, None]  # [B, T]
            ids = np.zeros(mask.shape, np.int64)
            ids[mask] = [row for one in batch for row in one[field].rows]
            given |= {f"{field}_ids": ids, f"{field}_mask": mask}
        return list(self.session.run(None, given)[0].astype(np.float64))

    def _told(self, numbers: np.ndarray, encoded: Mapping[str, Encoded]) -> Record:
        """numbers: [C] logits, or [T - 1] nats of each token but the first."""
        if self.config["answers"] == "surprisal":
            (text,) = encoded.values()
            return self._surprise(numbers[: len(text.rows) - 1], text)
        logits = numbers / self.config["temperature"]
        if self.config["answers"] == "ranking":
            return {"score": _sigmoid(float(logits[0])), "logit": float(numbers[0])}
        likely = np.exp(logits - logits.max())
        labels = self.config["labels"]
        scores = dict(zip(labels, (likely / likely.sum()).tolist(), strict=True))
        told = {"label": labels[int(numbers.argmax())], "scores": scores}
        return told | self._groups(dict(zip(labels, logits, strict=True)))

    def _groups(self, logits: Mapping[str, float]) -> Record:
        """The probability of each group of labels, where they are grouped; logits: by label."""
        groups = self.config.get("groups")
        if groups is None:
            return {}
        sums = np.array([np.logaddexp.reduce([logits[label] for label in members]) for members in groups.values()])
        likely = np.exp(sums - sums.max())
        return {"groups": dict(zip(groups, (likely / likely.sum()).tolist(), strict=True))}

    def _surprise(self, nats: np.ndarray, text: Encoded) -> Record:
        unknown = [place for place, row in enumerate(text.rows[1:]) if row in self.vocabulary.unknown]
        told: Record = {"perplexity": float(np.exp(nats.mean())), "surprisal": (nats / math.log(2)).tolist()}
        return told | {"tokens": text.tokens[1:]} | ({"unknown": unknown} if unknown else {})


def answer_lines(reader: Reader, source: BufferedIOBase) -> Iterator[list[str]]:
    """JSON lines answered as they come, in order; blank ones are left out, and a bad one yields its error."""
    number = 0
    for lines in _chunks(source):
        asked: list[tuple[int, Any, str]] = []
        for raw in lines:
            number += 1
            line = raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
            if line.strip():
                asked.append((number, *_parsed(line)))
        told = iter(reader.answers([record for _, record, error in asked if not error]))
        answers = [{"error": error} if error else next(told) for _, _, error in asked]
        numbered = [{**a, "line": line} if "error" in a else a for (line, *_), a in zip(asked, answers, strict=True)]
        yield [json.dumps(answer, ensure_ascii=False) for answer in numbered]


def _parsed(line: bytes) -> tuple[Any, str]:
    text = line.decode(errors="surrogateescape")
    if undecoded := _UNDECODED.search(text):
        return None, f"not UTF-8: byte 0x{ord(undecoded[0]) - 0xDC00:02x}"
    try:
        return json.loads(text), ""
    except (ValueError, RecursionError) as error:
        return None, f"not valid JSON: {error}"


def _chunks(source: BufferedIOBase) -> Iterator[list[bytes]]:
    begun: list[bytes] = []  # a line whose end has not come yet
    while data := source.read1(CHUNK):
        *whole, rest = data.split(b"\n")
        if whole:
            whole[0] = b"".join([*begun, whole[0]])
            begun.clear()
            yield whole
        begun.append(rest)
    if last := b"".join(begun):
        yield [last]


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts that are read at once: of similar length, and not too many."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if batch and (len(batch) == TEXTS or (len(batch) + 1) * lengths[place] > TOKENS):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _truncated(encoded: Mapping[str, Encoded]) -> Record:
    cut = [field for field, text in encoded.items() if text.cut]
    return {"truncated": cut} if cut else {}


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1 + math.exp(logit))


def _no_string(value: Any) -> str:
    return "" if isinstance(value, str) else f"a string, not {_json_word(value)}"


def _not_listed(value: Any) -> str:
    if not isinstance(value, list):
        return f"a list of strings, not {_json_word(value)}"
    wrong = next((place for place, text in enumerate(value) if not isinstance(text, str)), None)
    return "" if wrong is None else f"a list of strings, but its entry {wrong + 1} is {_json_word(value[wrong])}"


def _json_word(value: Any) -> str:
    return "null" if value is None else _JSON_WORDS.get(type(value), "an object")


def main() -> None:
    """Answers JSON lines of standard input on standard output."""
    reader = Reader()
    for answers in answer_lines(reader, sys.stdin.buffer):  # type: ignore[arg-type]
        sys.stdout.buffer.write("".join(f"{answer}\n" for answer in answers).encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
