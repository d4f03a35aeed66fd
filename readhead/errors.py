"""The two ways a command fails without a bug: the input is wrong, or the user interrupted it."""

from __future__ import annotations

from pathlib import Path


class InputError(Exception):
    """What the user gave is wrong: told in one line, exit status 2, nothing written.

    message: what is wrong and what was expected, in the user's words.
    file: the file it stands in, if there is one.
    line: its line, counted from 1, if there is one.
    """

    def __init__(self, message: str, *, file: Path | str | None = None, line: int | None = None) -> None:
        self.message, self.file, self.line = message, file, line
        super().__init__(message)

    def __str__(self) -> str:
        place = "" if self.file is None else f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        return place + " ".join(self.message.split())


class Interrupted(Exception):
    """The user stopped a run: exit status 130, and the line that resumes it.

    resume: the command that goes on from here.
    """

    def __init__(self, resume: str) -> None:
        self.resume = resume
        super().__init__(f"interrupted; to go on: {resume}")
