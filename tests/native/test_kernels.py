"""The kernels' own tests, in C++: built as they are installed, and with sanitizers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from readhead.ops.native import isas

NATIVE = Path(__file__).parents[2] / "native"
COMPILERS = ("c++", "g++", "clang++")

pytestmark = [
    pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no CMake here"),
    pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="there is no C++ compiler here"),
]


def run(*command: str | Path) -> str:
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert ended.returncode == 0, f"{' '.join(map(str, command))}:\n{ended.stdout}"
    return ended.stdout


@pytest.mark.parametrize("sanitizers", ["", "address,undefined"], ids=["as-installed", "sanitizers"])
def test_the_kernels_pass_their_own_tests(sanitizers: str, tmp_path: Path) -> None:
    """For every instruction set that this processor has."""
    told = [f"-DREADHEAD_SANITIZE={sanitizers}", f"-DREADHEAD_ISAS={';'.join(isas()) or 'portable'}"]
    run("cmake", "-S", NATIVE, "-B", tmp_path, *told)
    built = run("cmake", "--build", tmp_path, "--parallel", "2")
    assert "warning:" not in built, built
    assert "Skipped" not in run("ctest", "--test-dir", tmp_path, "--output-on-failure", "--no-tests=error")
