"""The house: who may import whom, what the tables list, and what is nowhere in it.

Read from the source, not by importing it: it holds for the installed package, and for files that do not run.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import readhead

PACKAGE = Path(readhead.__file__).parent

# From the ground up. A room imports rooms of lower floors only: rooms of one floor are strangers
# (training and prediction meet in the run directory), and the ground knows nothing of ours but the errors.
FLOORS = [
    {"readhead", "errors", "durable", "recipes", "counted", "circumstances"},
    {"ops", "data", "explain", "ngrams"},
    {"layers"},
    {"readers"},
    {"models"},
    {"tasks"},
    {"schema", "plans"},
    {"optimizers"},
    {"recipe"},
    {"own_sizes", "own_spaces"},
    {"run", "results", "own_data", "shipped"},
    {"training", "prediction", "bench"},
    {"reproduction", "pretrained", "export", "search", "own_figures"},
    {"serve"},
    {"cli"},
    {"__main__"},
]
HEIGHT = {room: height for height, floor in enumerate(FLOORS) for room in floor}

# Where a floor below is open to somebody through one door only.
DOORS = {(room, "data"): {"readhead.data.batch"} for room in ("layers", "readers", "models")}

TABLES = {
    "READERS": "readhead.readers",
    "MODELS": "readhead.models",
    "CORPORA": "readhead.data.corpora",
    "TASKS": "readhead.tasks",
    "OPTIMIZERS": "readhead.optimizers",
}
# What stands beside the readers and is none.
BESIDE_READERS = {"reading", "causal", "stack", "packed", "state", "many_memories"}
VAGUE = {"util", "utils", "helper", "helpers", "common", "base", "manager", "managers", "misc"}
PICKLING = {"pickle", "cPickle", "cloudpickle", "dill", "joblib", "marshal", "shelve"}
RAISES_EXCEPTION_ITSELF = {"readhead.data.tokenizer"}  # the tokenizers library has no narrower class of its own
ENVIRONMENT = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv"}


def module_name(file: Path) -> str:
    parts = [PACKAGE.name, *file.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(file): file for file in sorted(PACKAGE.rglob("*.py"))}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text(encoding="utf-8"), filename=str(FILES[module]))


def room(module: str) -> str:
    """The top-level module: `readhead.data.batch` stands in `data`."""
    return module.split(".")[1] if "." in module else module


def imported_names(module: str) -> Iterator[str]:
    """Each name an import statement asks for, as a dotted path, relative ones resolved."""
    package = module if FILES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            yield from (".".join([*above, *filter(None, [node.module]), alias.name]) for alias in node.names)


def imported_modules(module: str) -> set[str]:
    """Modules of ours that it imports; `from readhead.data import batch` is `readhead.data.batch`."""
    ours = {name for name in imported_names(module) if name.split(".")[0] == PACKAGE.name}
    return {name if name in FILES else name.rpartition(".")[0] for name in ours}


def imports_across_rooms() -> Iterator[tuple[str, str]]:
    # The package itself tells type checkers what it hands on; it imports that only when it is asked for.
    for module in sorted(FILES.keys() - {PACKAGE.name}):
        yield from ((module, other) for other in sorted(imported_modules(module)) if room(other) != room(module))


def table(name: str) -> dict[str, str]:
    """A table's literal value."""
    assert TABLES[name] in FILES, f"{name}: there is no {TABLES[name]}"
    for node in tree(TABLES[name]).body:
        if isinstance(node, ast.Assign) and name in {ast.unparse(target) for target in node.targets}:
            entries: dict[str, str] = ast.literal_eval(node.value)
            return entries
    raise AssertionError(f"{TABLES[name]} defines no {name}")


def where(module: str, node: ast.AST) -> str:
    return f"{FILES[module].relative_to(PACKAGE)}:{getattr(node, 'lineno', 1)}"


def words(name: str) -> set[str]:
    """`read_BaseThing` -> read, base, thing."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}


def test_every_module_stands_on_a_floor() -> None:
    assert len(FILES) > 10, f"found only {sorted(FILES)}"
    unknown = sorted(module for module in FILES if room(module) not in HEIGHT)
    assert not unknown, f"on no floor: {unknown}; give it one in FLOORS"


def test_imports_run_down() -> None:
    wrong = []
    for module, other in imports_across_rooms():
        if room(other) not in HEIGHT or room(module) not in HEIGHT:
            wrong.append(f"{module} imports {other}, and one of them stands on no floor")
        elif HEIGHT[room(other)] == HEIGHT[room(module)]:
            wrong.append(f"{module} imports {other}, which stands beside it")
        elif HEIGHT[room(other)] > HEIGHT[room(module)]:
            wrong.append(f"{module} imports {other}, which stands above it")
    assert not wrong, "\n".join(wrong)


def test_doors() -> None:
    wrong = [
        f"{module} imports {other}; open to it is only {sorted(DOORS[room(module), room(other)])}"
        for module, other in imports_across_rooms()
        if other not in DOORS.get((room(module), room(other)), {other})
    ]
    assert not wrong, "\n".join(wrong)


def names_read(node: ast.AST) -> set[str]:
    """What a node of the tree reads by name: a variable, an attribute, or what it imports."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return {name}
        case ast.ImportFrom(names=aliases):
            return {alias.name for alias in aliases}
    return set()


def test_only_the_recipe_reads_the_tables() -> None:
    wrong = [
        f"{where(module, node)} reads {name}; only readhead/recipe.py does"
        for module in FILES
        for node in ast.walk(tree(module))
        for name in sorted(names_read(node) & TABLES.keys())
        if room(module) != "recipe" and module != TABLES[name]
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", TABLES)
def test_every_table_entry_is_a_class_in_a_file(name: str) -> None:
    assert table(name), f"{name} is empty"
    for entry, target in table(name).items():
        module, colon, cls = target.partition(":")
        assert colon, f'{name}["{entry}"] = "{target}": expected "module:Class"'
        assert f"{module}.".startswith(f"{TABLES[name]}."), f'{name}["{entry}"]: {module} is not in {TABLES[name]}'
        assert module in FILES, f'{name}["{entry}"]: there is no {module}'
        classes = {node.name for node in tree(module).body if isinstance(node, ast.ClassDef)}
        assert cls in classes, f'{name}["{entry}"]: {module} defines no class {cls}, only {sorted(classes)}'


def test_every_reader_is_in_its_table() -> None:
    listed = {target.partition(":")[0] for target in table("READERS").values()}
    beside = {f"readhead.readers.{name}" for name in BESIDE_READERS}
    assert beside <= FILES.keys(), f"there is no {sorted(beside - FILES.keys())}"
    missing = [m for m in FILES if m.startswith("readhead.readers.") and m not in listed | beside]
    assert not missing, f"not in READERS: {missing}"


def test_names_say_something() -> None:
    vague = [str(file.relative_to(PACKAGE)) for file in FILES.values() if words(file.stem) & VAGUE]
    vague += [str(folder.relative_to(PACKAGE)) for folder in PACKAGE.rglob("*/") if words(folder.name) & VAGUE]
    for module in FILES:
        vague += [
            f"{where(module, node)} {node.name}"
            for node in ast.walk(tree(module))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and words(node.name) & VAGUE
        ]
    assert not vague, f"a shared thing has a noun: {vague}"


def test_no_exception_is_caught_blindly() -> None:
    blind = []
    for module in FILES:
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.ExceptHandler):
                caught = set().union(*map(names_read, ast.walk(node.type))) if node.type else {"BaseException"}
                blind += [module] * bool(caught & {"Exception", "BaseException"})
    assert sorted(blind) == sorted(RAISES_EXCEPTION_ITSELF), "name what is caught"


def test_no_environment_variable_is_read() -> None:
    reads = [
        where(module, node)
        for module in FILES
        for node in ast.walk(tree(module))
        if (isinstance(node, ast.Attribute | ast.ImportFrom) and names_read(node) & ENVIRONMENT)
        or (isinstance(node, ast.keyword) and node.arg == "envvar")
    ]
    assert not reads, f"an option is an argument: {reads}"


def opens_a_pickle(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="torch"), attr="load" | "save"):
            return True
        case ast.keyword(arg="allow_pickle", value=value):
            return ast.unparse(value) != "False"
        case ast.Import(names=aliases):
            return any(alias.name.split(".")[0] in PICKLING for alias in aliases)
        case ast.ImportFrom(module=str(source), names=aliases):
            from_torch = {alias.name for alias in aliases} & {"load", "save"} if source == "torch" else set()
            return source.split(".")[0] in PICKLING or bool(from_torch)
    return False


def test_nothing_is_pickled() -> None:
    found = [where(module, node) for module in FILES for node in ast.walk(tree(module)) if opens_a_pickle(node)]
    assert not found, f"safetensors, JSON, TOML and text only: {found}"


@pytest.mark.parametrize(
    "module",
    [
        "readhead",
        "readhead.cli.main",
        "readhead.recipe",
        "readhead.explain.record",
        "readhead.explain.terminal",
        "readhead.ngrams",
    ],
)
def test_is_imported_without_torch(module: str) -> None:
    heavy = "{'torch', 'accelerate', 'torchmetrics'}"
    program = f"import sys, {module}; print(*sorted({heavy} & sys.modules.keys()))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 0, ended.stderr
    assert not ended.stdout.strip(), f"importing {module} imports {ended.stdout.strip()}"
