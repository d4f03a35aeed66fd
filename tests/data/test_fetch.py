"""Fetching, from a server of our own on this machine: from an address to files that can be read."""

from __future__ import annotations

import hashlib
import io
import lzma
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from readhead.data.contents import Members
from readhead.data.corpora.snli import SNLI
from readhead.data.fetch import fetch
from readhead.data.reviews import ReviewTables
from readhead.data.source import Download, Source, missing_files
from readhead.data.sources import SOURCES
from readhead.errors import InputError
from tests.corpus_server import CorpusServer, Served, corpus_server

SNLI_FILES = Path(__file__).parents[1] / "fixtures" / "corpora" / "snli"
SPLITS = ("train", "dev", "test")


@pytest.fixture
def server() -> Iterator[CorpusServer]:
    with corpus_server() as running:
        yield running


def zipped(members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def tarred(members: Mapping[str, bytes], links: Mapping[str, str] | None = None) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for name, target in (links or {}).items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            archive.addfile(info)
    return packed.getvalue()


def snli_archive(leave_out: str = "") -> bytes:
    wanted = {f"snli_1.0/snli_1.0_{s}.jsonl": (SNLI_FILES / f"snli_1.0_{s}.jsonl").read_bytes() for s in SPLITS}
    unwanted = {"snli_1.0/README.txt": b"not wanted", "__MACOSX/snli_1.0/._snli_1.0_dev.jsonl": b"not wanted"}
    return zipped({name: data for name, data in (unwanted | wanted).items() if not leave_out or leave_out not in name})


def source(*downloads: Download) -> Source:
    return Source(title="A corpus", licence="free", downloads=downloads)


def snli(url: str, expected: bytes | None = None) -> Source:
    sha256 = None if expected is None else hashlib.sha256(expected).hexdigest()
    [real] = SOURCES["snli"].downloads
    return source(Download(url=url, place=real.place, contents=real.contents, sha256=sha256))


def left(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.rglob("*") if path.is_file())


def test_a_fetched_corpus_can_be_read(server: CorpusServer, tmp_path: Path) -> None:
    data = snli_archive()
    server.files["/snli.zip"] = Served(data)
    wanted = snli(f"{server.url}/snli.zip", data)
    assert len(missing_files(wanted, tmp_path / "new")) == 3
    fetched = fetch(wanted, tmp_path / "new")
    [checked] = fetched.checked
    assert (checked.sha256, checked.expected) == (hashlib.sha256(data).hexdigest(), True)
    assert [path.name for path in fetched.files] == [f"snli_1.0_{split}.jsonl" for split in SPLITS]
    assert len(list(SNLI().read("train", tmp_path / "new"))) == 30
    assert left(tmp_path / "new") == sorted(f"snli_1.0_{split}.jsonl" for split in SPLITS)


def test_what_is_there_is_not_fetched_again(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/snli.zip"] = Served(snli_archive())
    wanted = snli(f"{server.url}/snli.zip")
    first, second = fetch(wanted, tmp_path), fetch(wanted, tmp_path)
    assert len(server.asked) == 1
    assert first.files == second.files
    [checked] = first.checked
    assert (checked.sha256, checked.expected) == (hashlib.sha256(snli_archive()).hexdigest(), False)
    assert second.checked == ()


def test_only_what_is_missing_is_written(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/snli.zip"] = Served(snli_archive())
    own = tmp_path / "snli" / "snli_1.0_dev.jsonl"
    own.parent.mkdir()
    own.write_text("mine\n")
    fetch(snli(f"{server.url}/snli.zip"), tmp_path)
    assert own.read_text() == "mine\n"
    assert len(left(tmp_path)) == 3


def test_a_file_that_is_no_archive_is_kept_as_it_is(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/own.txt"] = Served(b"the 0.1 0.2\n")
    fetched = fetch(source(Download(url=f"{server.url}/own.txt", place="vectors/own.txt")), tmp_path)
    assert fetched.files[0].read_bytes() == b"the 0.1 0.2\n"
    assert left(tmp_path) == ["own.txt"]


def test_of_several_files_those_that_came_stay(server: CorpusServer, tmp_path: Path) -> None:
    parts = source(*(Download(url=f"{server.url}/{name}", place=f"parts/{name}") for name in ("a", "b")))
    server.files["/a"] = Served(b"first")
    with pytest.raises(InputError, match="404"):
        fetch(parts, tmp_path)
    server.files["/b"] = Served(b"second")
    assert [file.url for file in fetch(parts, tmp_path).checked] == [f"{server.url}/b"]
    assert [path for path, _ in server.asked] == ["/a", "/b", "/b"]


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/none.zip", None, "the server answers 404 Not Found"),
        ("/snli.zip", b"no archive at all", "no whole .zip"),
        ("/snli.zip", snli_archive()[:-200], "no whole .zip"),
        ("/snli.zip", snli_archive(leave_out="_dev.jsonl"), "lacks a file: snli_1.0/snli_1.0_dev.jsonl"),
    ],
)
def test_a_failed_fetch_is_told_in_a_line_and_leaves_nothing(
    *, path: str, body: bytes | None, words: str, server: CorpusServer, tmp_path: Path
) -> None:
    if body is not None:
        server.files[path] = Served(body)
    with pytest.raises(InputError, match=words) as caught:
        fetch(snli(server.url + path), tmp_path)
    assert "\n" not in str(caught.value)
    assert left(tmp_path) == []


def test_a_wrong_file_is_told_with_both_sums_and_harms_nothing(server: CorpusServer, tmp_path: Path) -> None:
    data, other = snli_archive(), snli_archive(leave_out="README")
    server.files["/snli.zip"] = Served(other)
    own = tmp_path / "snli" / "snli_1.0_dev.jsonl"
    own.parent.mkdir()
    own.write_text("mine\n")
    with pytest.raises(InputError) as caught:
        fetch(snli(f"{server.url}/snli.zip", data), tmp_path)
    assert all(hashlib.sha256(file).hexdigest() in str(caught.value) for file in (data, other))
    assert left(tmp_path) == ["snli_1.0_dev.jsonl"]
    assert own.read_text() == "mine\n"
    assert len(server.asked) == 1  # asking again would bring the same


@pytest.mark.parametrize("ending", ["zip", "tgz"])
def test_nothing_is_written_outside_the_folder(server: CorpusServer, tmp_path: Path, ending: str) -> None:
    absolute = tmp_path / "absolute"
    members = {"../outside": b"x", "../../corpora/wanted": b"x", str(absolute): b"x", "in/wanted": b"good"}
    server.files[f"/a.{ending}"] = Served(zipped(members) if ending == "zip" else tarred(members))
    contents = Members({"c/wanted": "in/wanted"})
    below = tmp_path / "deep" / "corpora"
    fetch(source(Download(url=f"{server.url}/a.{ending}", place=f"c/a.{ending}", contents=contents)), below)
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()] == [
        "deep/corpora/c/wanted"
    ]
    assert (below / "c" / "wanted").read_bytes() == b"good"


def test_links_in_an_archive_are_not_followed(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/a.tgz"] = Served(tarred({"in/other": b"x"}, links={"in/wanted": "/etc/hostname"}))
    contents = Members({"c/wanted": "in/wanted"})
    with pytest.raises(InputError, match="lacks a file: in/wanted"):
        fetch(source(Download(url=f"{server.url}/a.tgz", place="c/a.tgz", contents=contents)), tmp_path)
    assert left(tmp_path) == []


@pytest.mark.parametrize("keep", [0.2, 0.95])
def test_a_tar_that_ends_early_is_told(server: CorpusServer, tmp_path: Path, keep: float) -> None:
    data = tarred({f"in/{n}": hashlib.sha256(bytes([n])).digest() * 100 for n in range(20)} | {"in/wanted": b"x"})
    server.files["/a.tgz"] = Served(data[: int(len(data) * keep)])
    contents = Members({"c/wanted": "in/wanted"})
    with pytest.raises(InputError, match=r"no whole \.tar"):
        fetch(source(Download(url=f"{server.url}/a.tgz", place="c/a.tgz", contents=contents)), tmp_path)
    assert left(tmp_path) == []


def test_reviews_become_tables(server: CorpusServer, tmp_path: Path) -> None:
    reviews = {
        "train/pos/10_9.txt": "Fine,\tand\nquick. Caf\N{LATIN SMALL LETTER E WITH ACUTE}!",
        "train/pos/2_7.txt": "Good.",
        "train/neg/0_1.txt": "Bad.",
        "train/unsup/0_0.txt": "Who knows?",
        "test/neg/1_4.txt": "Weak.",
        "train/labeledBow.feat": "1 2:3",
    }
    server.files["/a.tar.gz"] = Served(tarred({f"aclImdb/{name}": text.encode() for name, text in reviews.items()}))
    contents = ReviewTables({"imdb/train.tsv.xz": "train", "imdb/test.tsv.xz": "test"})
    fetch(source(Download(url=f"{server.url}/a.tar.gz", place="imdb/a.tar.gz", contents=contents)), tmp_path)
    packed = [(tmp_path / "imdb" / f"{split}.tsv.xz").read_bytes() for split in ("train", "test")]
    train, test = (lzma.decompress(table).decode() for table in packed)
    assert train == "neg\t0\t1\tBad.\npos\t2\t7\tGood.\npos\t10\t9\tFine, and quick. Caf\xe9!\n"
    assert test == "neg\t1\t4\tWeak.\n"
    assert left(tmp_path) == ["test.tsv.xz", "train.tsv.xz"]


@pytest.mark.parametrize("root", ["", "/corpora", "/corpora/"])
def test_a_mirror_has_the_same_path_below_another_root(server: CorpusServer, tmp_path: Path, root: str) -> None:
    server.files[f"{root.rstrip('/')}/data/own.txt"] = Served(b"the 0.1 0.2\n")
    own = source(Download(url="https://nowhere.invalid/data/own.txt", place="vectors/own.txt"))
    [checked] = fetch(own, tmp_path, mirror=server.url + root).checked
    assert checked.url == f"{server.url}{root.rstrip('/')}/data/own.txt"


@pytest.mark.parametrize("mirror", ["mirror.example", "file:///corpora", "https://", "http://[1"])
def test_a_mirror_that_is_no_address_is_told(tmp_path: Path, mirror: str) -> None:
    own = source(Download(url="https://nowhere.invalid/own.txt", place="vectors/own.txt"))
    with pytest.raises(InputError, match="expected an address, such as https://"):
        fetch(own, tmp_path, mirror=mirror)


def test_offline_tells_what_is_missing_and_where_it_looked(server: CorpusServer, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        fetch(snli(f"{server.url}/snli.zip"), tmp_path, offline=True)
    for told in (str(tmp_path), "snli/snli_1.0_train.jsonl", "snli/snli_1.0.zip", f"{server.url}/snli.zip"):
        assert told in str(caught.value)
    assert (server.asked, left(tmp_path)) == ([], [])


@pytest.mark.parametrize("offline", [True, False])
def test_an_archive_that_somebody_put_there_is_taken_and_stays(
    server: CorpusServer, tmp_path: Path, offline: bool
) -> None:
    data = snli_archive()
    (tmp_path / "snli").mkdir()
    (tmp_path / "snli" / "snli_1.0.zip").write_bytes(data)
    fetched = fetch(snli(f"{server.url}/snli.zip", data), tmp_path, offline=offline)
    assert server.asked == []
    assert all(path.is_file() for path in fetched.files)
    assert (tmp_path / "snli" / "snli_1.0.zip").read_bytes() == data


def test_a_wrong_archive_that_somebody_put_there_stays(server: CorpusServer, tmp_path: Path) -> None:
    data, other = snli_archive(), snli_archive(leave_out="README")
    archive = tmp_path / "snli" / "snli_1.0.zip"
    archive.parent.mkdir()
    archive.write_bytes(other)
    for offline, culprit in ((True, str(archive)), (False, f"{server.url}/snli.zip")):
        server.files["/snli.zip"] = Served(b"wrong too")
        with pytest.raises(InputError, match="is not the file expected") as caught:
            fetch(snli(f"{server.url}/snli.zip", data), tmp_path, offline=offline)
        assert str(caught.value).startswith(culprit)
        assert archive.read_bytes() == other
    assert left(tmp_path) == ["snli_1.0.zip"]


def test_a_place_that_cannot_be_written_is_told(server: CorpusServer, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        fetch(snli(f"{server.url}/snli.zip"), tmp_path / "file" / "corpora")


def test_a_full_disk_costs_no_download(server: CorpusServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Members, archive: Path, targets: Mapping[str, Path]) -> None:
        next(iter(targets.values())).write_text("half")
        raise OSError(28, "No space left on device")

    data = snli_archive()
    server.files["/snli.zip"] = Served(data)
    wanted = snli(f"{server.url}/snli.zip", data)
    with monkeypatch.context() as patched:
        patched.setattr(Members, "unpack", full)
        with pytest.raises(InputError, match="cannot be written: No space left"):
            fetch(wanted, tmp_path)
    assert left(tmp_path) == ["snli_1.0.zip"]
    fetch(wanted, tmp_path)
    assert len(server.asked) == 1
    assert not missing_files(wanted, tmp_path)


def test_what_has_no_address_says_why_and_what_to_put_where(tmp_path: Path) -> None:
    (tmp_path / "ptb").mkdir()
    (tmp_path / "ptb" / "ptb.test.txt").touch()
    with pytest.raises(InputError) as caught:
        fetch(SOURCES["ptb"], tmp_path)
    told = str(caught.value)
    for words in ("cannot be fetched", "Linguistic Data Consortium", "https://catalog.ldc.upenn.edu/LDC99T42"):
        assert words in told
    assert told.endswith(f"put ptb/ptb.train.txt, ptb/ptb.valid.txt below {tmp_path}")
