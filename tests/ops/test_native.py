"""The kernels' libraries: found, loaded, and refused with a reason."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from readhead.errors import InputError
from readhead.ops import native

COMPILERS = ("c++", "g++", "clang++")
CPUINFO = Path("/proc/cpuinfo")


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder in place of the kernels' own."""
    monkeypatch.setattr(native, "_library", lambda isa: tmp_path / f"{isa}.so")
    native.found_kernels.cache_clear()
    yield tmp_path
    native.found_kernels.cache_clear()


class OtherLibrary:
    """A library that loads, of another interface or for another processor."""

    def __init__(self, version: int, missing: bytes | None) -> None:
        self.readhead_version = lambda: version

        def readhead_obstacle() -> bytes | None:
            return missing

        self.readhead_obstacle = readhead_obstacle


@pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="there is no C++ compiler here")
def test_where_there_is_a_compiler_there_are_kernels() -> None:
    assert native.obstacle() is None
    assert native.isas()[-1] == "portable"
    assert set(native.isas()) | set(native.found_kernels().obstacles) == set(native.ISAS)


@pytest.mark.skipif(platform.machine() != "x86_64" or not CPUINFO.exists(), reason="no x86-64 under Linux")
@pytest.mark.skipif(not native.isas(), reason="there are no kernels here")
def test_what_the_processor_has_is_used() -> None:
    flags = set(CPUINFO.read_text().partition("flags")[2].partition("\n")[0].split())
    assert ("avx2" in native.isas()) == ({"avx2", "fma"} <= flags)
    assert ("avx512" in native.isas()) == ({"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags)


@pytest.mark.skipif(not native.isas(), reason="there are no kernels here")
def test_one_can_be_asked_for_by_name() -> None:
    assert native.load_kernels().isa == native.isas()[0]
    for isa in native.isas():
        kernels = native.load_kernels(isa)
        assert kernels.isa == isa
        kernels.library.readhead_isa.restype = native.ctypes.c_char_p
        assert kernels.library.readhead_isa() == isa.encode()


def test_an_instruction_set_that_there_is_not_is_told() -> None:
    with pytest.raises(InputError, match="no instruction set 'avx9'; there are avx512, avx2, portable"):
        native.load_kernels("avx9")


def test_without_libraries_the_reason_is_the_installation(libraries: Path) -> None:
    assert native.isas() == ()
    with pytest.raises(InputError, match="the kernels are not there: readhead was installed where no C"):
        native.load_kernels()
    with pytest.raises(InputError, match=r"the avx2 kernels cannot run: there is no avx2\.so"):
        native.load_kernels("avx2")


def test_what_is_no_library_is_told(libraries: Path) -> None:
    (libraries / "avx2.so").write_text("no library")
    assert "avx2.so cannot be loaded: " in native.found_kernels().obstacles["avx2"]
    assert native.obstacle() is not None


@pytest.mark.parametrize(
    ("library", "reason"),
    [
        (OtherLibrary(99, None), "portable.so is of another readhead (its interface is 99, not 1): install it again"),
        (OtherLibrary(native.INTERFACE, b"no such unit"), "no such unit"),
    ],
)
def test_a_library_that_does_not_fit_is_told(
    library: OtherLibrary, reason: str, libraries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (libraries / "portable.so").touch()
    monkeypatch.setattr(native.ctypes, "CDLL", lambda path: library)
    assert native.found_kernels().obstacles["portable"] == reason
