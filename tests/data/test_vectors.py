from __future__ import annotations

import gzip
import lzma
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from readhead.data.vectors import Vectors, embedding_table, read_vectors
from readhead.data.vocabulary import OOV, Vocabulary
from readhead.errors import InputError

LINES = "the 1 0 0.5\nsoup -2.25 1e-1 0\npan 3 4 0\nladle 0 0 7\n"


def written(path: Path, text: str | bytes = LINES) -> Path:
    data = text if isinstance(text, bytes) else text.encode()
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(data))
    elif path.suffix == ".xz":
        path.write_bytes(lzma.compress(data))
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("folder/", "")
            archive.writestr("folder/vectors.txt", data)
    else:
        path.write_bytes(data)
    return path


@pytest.mark.parametrize("suffix", [".txt", ".txt.gz", ".txt.xz", ".zip", ""])
def test_wanted_and_most_frequent_words_are_read(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path / f"vectors{suffix}")
    vectors = read_vectors(path, wanted={"ladle", "soup", "unheard"}, most_frequent=1)
    assert vectors.words == ["the", "soup", "ladle"]
    assert vectors.most_frequent == ["the"]
    assert vectors.rows.dtype == np.float32
    np.testing.assert_array_equal(vectors.rows, np.array([[1, 0, 0.5], [-2.25, 0.1, 0], [0, 0, 7]], dtype=np.float32))


def test_nothing_wanted_still_tells_the_width(tmp_path: Path) -> None:
    assert read_vectors(written(tmp_path / "v.txt"), wanted=(), most_frequent=0).rows.shape == (0, 3)


@pytest.mark.parametrize(
    "text", ["2 3\n" + "the 1 2 3\nsoup 4 5 6\n", "the 1 2 3 \r\nsoup 4 5 6 \r\n", "the 1 2 3\nsoup 4 5 6"]
)
def test_other_writers_habits(tmp_path: Path, text: str) -> None:
    vectors = read_vectors(written(tmp_path / "v.vec", text), wanted={"soup", "2"}, most_frequent=1, dim=3)
    assert vectors.words == ["the", "soup"]
    assert vectors.rows.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_words_may_hold_spaces(tmp_path: Path) -> None:
    path = written(tmp_path / "v.txt", "the 1 2\n. . . 3 4\nat cook@soup.example 5 6\n\u00a0 7 8\n")
    vectors = read_vectors(path, wanted=(), most_frequent=9)
    assert vectors.words == ["the", ". . .", "at cook@soup.example", "\u00a0"]
    assert vectors.rows[1].tolist() == [3, 4]
    path = written(tmp_path / "v.txt", ". . 1 2\nthe 3 4\n")
    assert read_vectors(path, wanted=(), most_frequent=9, dim=2).words == [". .", "the"]


def test_of_duplicates_the_first_is_taken(tmp_path: Path) -> None:
    path = written(tmp_path / "v.txt", "the 1 2\nsoup 3 4\nthe 5 6\n")
    vectors = read_vectors(path, wanted={"the"}, most_frequent=3)
    assert vectors.words == ["the", "soup"]
    assert vectors.rows.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("text", "dim", "line", "message"),
    [
        ("", None, None, "found none"),
        ("2 3\n", None, None, "found none"),
        ("the 1 2\nsoup 3\n", None, 2, "expected a word and 2 values, found 1"),
        ("the 1 2\nsoup 3 4 5\n", None, 2, "expected a word and 2 values, found 3"),
        ("the 1 2\n\n", None, 2, "expected a word and 2 values, found 0"),
        ("the 1 2\n", 3, 1, "expected vectors of 3 values, found 2"),
        ("the 1 2 3 4\n", 3, 1, "expected a word and 3 values, found 4"),
        ("1 2\nthe 1 2\n", 3, 1, "expected vectors of 3 values, found 2"),
        ("3 2\nthe 1 2\n", None, 1, "announces 3 vectors, the file holds 1"),
        ("the 1 2\nsoup 3 x\n", None, 2, "expected 2 numbers"),
        ("the 1 2\nsoup 3 nan\n", None, 2, "expected 2 finite numbers, found nan"),
        ("the 1 2\nsoup 3  4\n", None, 2, "found 3 values"),
        (b"the 1 2\nso\xffup 3 4\n", None, 2, "expected UTF-8"),
        ("the,1,2\n", None, 1, "expected a word and its values, separated by spaces"),
        ("the 1 2\n" + "x" * (1 << 20) + "\n", None, 2, "no line end"),
    ],
)
def test_a_bad_line_is_told_by_number(
    tmp_path: Path, text: str | bytes, dim: int | None, line: int | None, message: str
) -> None:
    path = written(tmp_path / "v.txt", text)
    with pytest.raises(InputError) as caught:
        read_vectors(path, wanted={"soup"}, most_frequent=0, dim=dim)
    assert (caught.value.file, caught.value.line) == (path, line)
    assert message in str(caught.value)


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zip"])
@pytest.mark.parametrize("damage", ["cut", "other", "empty"])
def test_a_damaged_archive_is_told_by_name(tmp_path: Path, suffix: str, damage: str) -> None:
    generator = np.random.default_rng(0)
    lines = [f"word{i} {generator.random():.6f} {generator.random():.6f}\n" for i in range(2000)]
    path = written(tmp_path / f"v{suffix}", "".join(lines))
    whole = path.read_bytes()
    path.write_bytes({"cut": whole[: len(whole) // 2], "other": b"word 1 2\n", "empty": b""}[damage])
    with pytest.raises(InputError, match=rf"v\{suffix}.*(broken or cut short|cannot be read|found none)"):
        read_vectors(path, wanted=(), most_frequent=1)


def test_an_archive_of_several_widths(tmp_path: Path) -> None:
    path = tmp_path / "v.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("v.2d.txt", "the 1 2\n")
        archive.writestr("v.3d.txt", "the 1 2 3\n")
    assert read_vectors(path, wanted=(), most_frequent=1, dim=3).rows.tolist() == [[1, 2, 3]]
    with pytest.raises(InputError, match=r"expected one file of vectors in the archive, found v\.2d\.txt, v\.3d"):
        read_vectors(path, wanted=(), most_frequent=1)


@pytest.mark.parametrize("name", ["gone.txt", "gone.gz", "gone.xz", "gone.zip", "."])
def test_a_missing_file_is_told_by_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_vectors(tmp_path / name, wanted=(), most_frequent=1)


def test_a_large_file_is_never_in_memory_whole(tmp_path: Path) -> None:
    lines = (f"word{i} " + "0.125 " * 99 + "1\n" for i in range(20_000))
    path = written(tmp_path / "v.txt.gz", "".join(lines))  # 12 MB when unpacked
    tracemalloc.start()
    vectors = read_vectors(path, wanted={"word19999"}, most_frequent=10)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(vectors.words) == 11
    assert peak < 6e6


VECTORS = Vectors(["the", "soup"], np.array([[3, 4], [0, 2]], dtype=np.float32), ["the"])


def test_rows_of_the_table() -> None:
    vocabulary = Vocabulary(words=["soup", "new", "the"], oov_rows=1)
    table, pretrained = embedding_table(vocabulary, VECTORS, dim=2, oov="normal", normalise=False, seed=1)
    assert table.shape == (8, 2)
    assert table.dtype == np.float32
    assert pretrained.tolist() == [False] * 5 + [True, False, True]
    assert table[[0, 5, 7]].tolist() == [[0, 0], [0, 2], [3, 4]]
    assert (table[[1, 2, 3, 4, 6]] != 0).all()


def test_zero_policy() -> None:
    vocabulary = Vocabulary(words=["the"], oov_rows=1)
    table, _ = embedding_table(vocabulary, VECTORS, dim=2, oov="zero", normalise=True, seed=1)
    assert table[:2].tolist() == [[0, 0], [0, 0]]
    np.testing.assert_allclose(np.linalg.norm(table[2:], axis=1), 1, rtol=1e-6)
    np.testing.assert_allclose(table[5], [0.6, 0.8], rtol=1e-6)


@pytest.mark.parametrize(("vectors", "scale"), [(None, 1 / 8), (Vectors([], np.empty((0, 64), np.float32), []), 1)])
@pytest.mark.parametrize("oov", ["hashed", "normal"])
def test_scale_of_drawn_rows(vectors: Vectors | None, scale: float, oov: OOV) -> None:
    vocabulary = Vocabulary(words=[f"word{i}" for i in range(300)], oov_rows=100)
    table, pretrained = embedding_table(vocabulary, vectors, dim=64, oov=oov, normalise=False, seed=3)
    assert not pretrained.any()
    assert table[1:].std() == pytest.approx(scale, rel=0.03)
    assert table[1:].mean() == pytest.approx(0, abs=0.03 * scale)


@pytest.mark.parametrize("vectors", [None, VECTORS])
def test_a_length_is_that_of_drawn_rows_alone(vectors: Vectors | None) -> None:
    vocabulary = Vocabulary(words=["soup", *(f"word{i}" for i in range(300))], oov_rows=100)
    table, pretrained = embedding_table(vocabulary, vectors, dim=2, oov="normal", normalise=False, seed=3, length=0.1)
    assert np.sqrt((table[1:][~pretrained[1:]] ** 2).sum(axis=1).mean()) == pytest.approx(0.1, rel=0.1)
    assert pretrained.sum() == (0 if vectors is None else 1)
    assert table[pretrained].tolist() == [[0, 2]] * pretrained.sum()


def test_the_seed_decides() -> None:
    vocabulary = Vocabulary(words=["the"], oov_rows=100)
    tables = [
        embedding_table(vocabulary, VECTORS, dim=2, oov="hashed", normalise=True, seed=seed)[0] for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(tables[0], tables[1])
    assert not np.array_equal(tables[0], tables[2])


def test_vectors_of_another_width_are_refused() -> None:
    with pytest.raises(ValueError, match="expected vectors of width 3, found 2"):
        embedding_table(Vocabulary(words=[], oov_rows=1), VECTORS, dim=3, oov="zero", normalise=True, seed=1)
