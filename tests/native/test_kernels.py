"""The kernels' own tests, in C++: built as they are installed, and with sanitizers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from readhead.ops.native import isas

NATIVE = Path(__file__).parents[2] / "native"
ISAS_HERE = list(isas()) or ["portable"]
COMPILERS = ("c++", "g++", "clang++")

pytestmark = [
    pytest.mark.kernels,
    pytest.mark.skipif(not NATIVE.is_dir(), reason="an installed readhead has no sources of the kernels"),
    pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no CMake here"),
    pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="there is no C++ compiler here"),
]


def run(*command: str | Path) -> str:
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert ended.returncode == 0, f"{' '.join(map(str, command))}:\n{ended.stdout}"
    return ended.stdout


@pytest.mark.parametrize(
    ("sanitizers", "instruction_sets"),
    [
        pytest.param("", ISAS_HERE[:1], id="as-installed"),
        pytest.param("", ISAS_HERE[1:], id="as-installed-slower", marks=pytest.mark.slow),
        pytest.param("address,undefined", ["portable"], id="sanitizers"),
        pytest.param("address,undefined", ISAS_HERE[:-1], id="sanitizers-faster", marks=pytest.mark.slow),
    ],
)
def test_the_kernels_pass_their_own_tests(sanitizers: str, instruction_sets: list[str], tmp_path: Path) -> None:
    if not instruction_sets:
        pytest.skip("this processor has the portable instruction set alone")
    told = [f"-DREADHEAD_SANITIZE={sanitizers}", f"-DREADHEAD_ISAS={';'.join(instruction_sets)}"]
    run("cmake", "-S", NATIVE, "-B", tmp_path, *told)
    built = run("cmake", "--build", tmp_path, "--parallel", "2")
    assert "warning:" not in built, built
    passed = run("ctest", "--test-dir", tmp_path, "--parallel", "2", "--output-on-failure", "--no-tests=error")
    assert "Skipped" not in passed
