"""ARPA files: written as the format has it, read with every line checked."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from readhead.errors import InputError
from readhead.ngrams import NGramModel, estimate, read_arpa, write_arpa
from tests.ngrams.texts import PADDING, SILENT, WORDS, V, flat, texts

# p(</s>) = 1/2, p(<unk>) = p(a) = 1/4, p(a | <s>) = 3/4; pruned, and laid out as loosely as is allowed.
SMALL = """
\\data\\
ngram 1=4
ngram 2=2
ngram  3 = 1

\\1-grams:
0\t<s>\t-0.4771213
-0.30103\t</s>
-0.60206\t<unk>
-0.60206\ta\t-0.2

\\2-grams:
-0.1249387\t<s> a\t-0.1
-0.5 a </s>

\\3-grams:
-0.05\t<s> a </s>

\\end\\
"""
LINES = SMALL.splitlines()


def written(folder: Path, text: str) -> Path:
    path = folder / "model.arpa"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model() -> NGramModel:
    return estimate(*flat(texts(400)), vocabulary_size=V, silent=SILENT, order=3)


def test_a_small_file_by_hand(tmp_path: Path) -> None:
    model, words = read_arpa(written(tmp_path, SMALL))
    assert words == ["<s>", "</s>", "<unk>", "a"]
    log10 = model.log_probabilities(*flat([[0, 3, 1], [0, 2, 3, 3, 1]])) / np.log(10)
    np.testing.assert_allclose(
        log10, [-0.1249387, -0.05, -0.4771213 - 0.60206, -0.60206, -0.2 - 0.60206, -0.5], rtol=1e-6
    )
    assert model.distribution(np.array([2]))[0] == 0


def test_a_small_file_is_written_as_the_format_has_it(tmp_path: Path) -> None:
    model = estimate(*flat([[1, 4, 2], [1, 2]]), vocabulary_size=5, silent=[0, 1], order=2, fallback=(0.5, 1, 1.5))
    write_arpa(tmp_path / "model.arpa", model, ["<pad>", "<s>", "</s>", "<unk>", "ä"])
    # 1-grams: </s> has 2 words in front, ä has 1; discounts 1 and 0.5 of 3 leave 1/2, the uniform is 1/3.
    expected = [
        *("\\data\\", "ngram 1=4", "ngram 2=3", "", "\\1-grams:"),
        f"-99\t<s>\t{np.float32(np.log10(0.5)):.9g}",
        f"{np.float32(np.log10(1 / 3 + 1 / 6)):.9g}\t</s>\t0",
        f"{np.float32(np.log10(1 / 6)):.9g}\t<unk>\t0",
        f"{np.float32(np.log10(0.5 / 3 + 1 / 6)):.9g}\tä\t{np.float32(np.log10(0.5)):.9g}",
        *("", "\\2-grams:"),
        f"{np.float32(np.log10(0.25 + 0.25)):.9g}\t<s> </s>",
        f"{np.float32(np.log10(0.25 + 0.5 / 3)):.9g}\t<s> ä",
        f"{np.float32(np.log10(0.5 + 0.25)):.9g}\tä </s>",
        *("", "\\end\\", ""),
    ]
    assert (tmp_path / "model.arpa").read_text(encoding="utf-8").split("\n") == expected
    assert [file.name for file in tmp_path.iterdir()] == ["model.arpa"]


def test_read_again_it_is_the_same(model: NGramModel, tmp_path: Path) -> None:
    first, second = tmp_path / "first.arpa", tmp_path / "second.arpa"
    write_arpa(first, model, WORDS)
    again, words = read_arpa(first)
    assert words == [word for number, word in enumerate(WORDS) if number != PADDING]
    # Without padding every id is one lower.
    ids, bounds = flat([*texts(400), *texts(40, seed=1)])
    np.testing.assert_array_equal(again.log_probabilities(ids - 1, bounds), model.log_probabilities(ids, bounds))
    write_arpa(second, again, words)
    assert second.read_bytes() == first.read_bytes()
    once_more, _ = read_arpa(second)
    for name, array in again.state().items():
        np.testing.assert_array_equal(once_more.state()[name], array)


def test_cut_off_anywhere_it_is_refused(tmp_path: Path) -> None:
    for length in range(len(SMALL.rstrip())):
        with pytest.raises(InputError) as refused:
            read_arpa(written(tmp_path, SMALL[:length]))
        assert "the file is cut short" in str(refused.value)
        assert refused.value.line == SMALL[:length].count("\n") + 1


@pytest.mark.parametrize("ending", ["", "\n", "\n \n\n"])
def test_the_last_line_may_lack_its_end(tmp_path: Path, ending: str) -> None:
    assert read_arpa(written(tmp_path, SMALL.rstrip() + ending))[0].order == 3


@pytest.mark.parametrize(
    ("line", "becomes", "told_at", "message"),
    [
        ("\\data\\", "data", 2, r"expected \data\, found 'data'"),
        ("ngram 1=4", "", 3, "expected ngram 1= and a number above 0, found ''"),
        ("ngram 2=2", "ngram 2=0", 4, "expected ngram 2= and a number above 0, found 'ngram 2=0'"),
        ("ngram 2=2", "ngram 3=2", 4, "expected ngram 2= and a number above 0, found 'ngram 3=2'"),
        ("ngram 1=4", "ngram 1=3", 11, r"expected \2-grams: behind the n-grams announced, found '-0.60206"),
        ("ngram 2=2", "ngram 2=3", 16, "expected 3 2-grams, as announced, found 2"),
        ("ngram  3 = 1", "ngram 3=2", 19, "expected 2 3-grams, as announced, found 1"),
        ("-0.5 a </s>", "-0.5 a </s>\n-0.5\ta a", 16, r"expected \3-grams: behind the n-grams announced"),
        ("-0.05\t<s> a </s>", "-0.05\t<s> a </s>\n-1\ta a a", 19, r"expected \end\ behind the 1 3-grams announced"),
        ("\\3-grams:", "\\4-grams:", 17, r"expected \3-grams: behind the n-grams announced, found '\\4-grams:'"),
        ("\\end\\", "\\end\\\nmore", 21, r"expected nothing behind \end\, found 'more'"),
        ("-0.60206\ta\t-0.2", "-0.60206\ta\t-0.2\t0", 11, "expected a log-probability, words: 1 and a backoff or none"),
        ("-0.5 a </s>", "-0.5 a", 15, "expected a log-probability, words: 2 and a backoff or none; found 2 fields"),
        ("-0.05\t<s> a </s>", "-0.05\t<s> a </s>\t0", 18, "expected a log-probability, words: 3; found 5 fields"),
        ("-0.5 a </s>", "0.5 a </s>", 15, "expected a log-probability, which is 0 at most, found '0.5'"),
        ("-0.5 a </s>", "half a </s>", 15, "expected a finite number, found 'half'"),
        ("-0.5 a </s>", "nan a </s>", 15, "expected a finite number, found 'nan'"),
        ("-0.5 a </s>", "-inf a </s>", 15, "expected a finite number, found '-inf'"),
        ("-0.5 a </s>", "-1e39 a </s>", 15, "expected a finite number, found '-1e39'"),
        ("-0.60206\ta\t-0.2", "-0.60206\ta\tx", 11, "expected a finite number, found 'x'"),
        ("-0.60206\ta\t-0.2", "-0.60206\t<unk>", 11, "expected each word once, found '<unk>' again"),
        ("-0.60206\t<unk>", "-0.60206\tb", 11, "expected <unk> among the 1-grams"),
        ("-0.5 a </s>", "-0.5 b </s>", 15, "expected words of the 1-grams, found 'b'"),
        ("-0.5 a </s>", "-0.5 <s> a", 15, "expected each n-gram once, found this one again"),
        ("-0.05\t<s> a </s>", "-0.05\ta a </s>", 18, "goes on from one of the 2-grams"),
    ],
)  # fmt: skip
def test_a_wrong_line(tmp_path: Path, line: str, becomes: str, told_at: int, message: str) -> None:
    assert LINES.count(line) == 1
    path = written(tmp_path, "\n".join(becomes if line == one else one for one in LINES) + "\n")
    with pytest.raises(InputError, match=re.escape(message)) as refused:
        read_arpa(path)
    assert (refused.value.file, refused.value.line) == (path, told_at)


def test_what_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "model.arpa"
    path.write_bytes(SMALL.encode().replace(b"\ta", b"\t\xff"))
    with pytest.raises(InputError, match="expected UTF-8") as refused:
        read_arpa(path)
    assert refused.value.line == 11
    with pytest.raises(InputError, match="cannot be read"):
        read_arpa(tmp_path / "none.arpa")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (WORDS[:-1], "takes 125 different words, found 124, 124 of them different"),
        ([*WORDS[:-1], "word1"], "found 125, 124 of them different"),
        ([*WORDS[:-1], "two words"], "has no place for 'two words'"),
        ([*WORDS[:-1], ""], "has no place for ''"),
        ([*WORDS[:-1], "line\n"], r"has no place for 'line\\n'"),
        ([*WORDS[:3], "<oov>", *WORDS[4:]], "needs the word <unk>"),
        ([WORDS[0], WORDS[2], WORDS[1], *WORDS[3:]], "the word <s> stands at an id that the model predicts"),
        ([WORDS[3], *WORDS[1:3], WORDS[0], *WORDS[4:]], "the word <unk> stands at an id that the model never predicts"),
    ],
)
def test_words_that_do_not_fit(model: NGramModel, tmp_path: Path, words: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        write_arpa(tmp_path / "model.arpa", model, words)
    assert not list(tmp_path.iterdir())
