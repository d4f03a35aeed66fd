"""The command line: verbs, and what becomes of errors.

Exit 0 = done; 2 = the input is wrong, told in one line; 130 = interrupted, with the line that resumes; 1 = our fault.
"""

from __future__ import annotations

import gc
import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Annotated, NoReturn, cast

import typer

from readhead import __version__
from readhead.cli.verbs import Verbs
from readhead.errors import InputError, Interrupted

app = typer.Typer(
    name="readhead",
    cls=Verbs,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
# The class of all complaints about the command line itself. typer may carry a click of its own, so it is asked.
CommandLineError = cast("type[Exception]", typer.BadParameter.__mro__[2])
# A path that was given cannot be read or written: whoever gave it can change that.
PathError = (PermissionError, NotADirectoryError, IsADirectoryError, FileExistsError)


def _tell_version(asked: bool) -> None:
    if asked:
        print(f"readhead {__version__}")
        raise typer.Exit


@app.callback()
def readhead(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Attention-and-memory text readers: train one on your own file, read with it, and see why."""


def main() -> NoReturn:
    """The process `readhead`: one command, and out.

    A million objects come with torch and stay: looking for garbage among them while they come, and taking them down
    one by one at the end, would be a third of the time that one prediction takes.
    """
    gc.set_threshold(100_000, 20, 50)
    try:
        run()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
        with suppress(BrokenPipeError):
            sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def run(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs one command. Raises: SystemExit with its exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if "--debug" not in given:
        sys.excepthook = _our_fault
    sys.exit(status_of(given))


def status_of(arguments: list[str]) -> int:
    """Runs one command. Returns its exit status; a traceback is shown only after `--debug`."""
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"] or ["--help"]
    try:
        # Not app(...), which puts typer's own hook in the place of ours and exits with 1 on a broken pipe.
        command = typer.main.get_command(app)
        with command.make_context("readhead", arguments) as context:
            command.invoke(context)
        sys.stdout.flush()
    except (InputError, CommandLineError, *PathError) as error:
        return _tell(_what_is_wrong(error), 2, debug)
    except (Interrupted, KeyboardInterrupt, typer.Abort):
        return _tell(f"interrupted; to go on: {_going_on(arguments)}", 130, debug)
    except typer.Exit as error:
        return error.exit_code
    except BrokenPipeError:
        # Whoever read our output has gone; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _what_is_wrong(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, CommandLineError):
        return f"{error.format_message()} (--help tells more)"  # type: ignore[attr-defined]
    return str(error)


def _going_on(arguments: Sequence[str]) -> str:
    """What was typed, and for `train` that it resumes: a run that was interrupted goes on where it stood."""
    resume = ["--resume"] if arguments[0] == "train" and "--resume" not in arguments else []
    return shlex.join(["readhead", *arguments, *resume])


def _our_fault(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """What is shown of an error nobody foresaw; the interpreter then exits with status 1."""
    what = " ".join(f"{kind.__name__}: {error}".split())
    # A full disk is nobody's fault; all else is ours.
    blame = "" if issubclass(kind, OSError) else "our fault, not yours; "
    print(f"readhead: {what} ({blame}--debug shows where)", file=sys.stderr)


def _tell(message: str, status: int, debug: bool) -> int:
    if debug:
        import traceback

        traceback.print_exc()
    print("readhead: " + " ".join(message.split()), file=sys.stderr)
    return status
