"""A run fetched from the Hugging Face hub, and put there. Only a run's own files travel; none of them runs code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import (  # type: ignore[attr-defined]  # HTTPError comes from its HTTP library
    HFValidationError,
    HTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from readhead import __version__, durable
from readhead.errors import InputError
from readhead.run import RunFiles

FILES = tuple(path.name for path in RunFiles(Path()).shared)

# By task, what the hub calls it.
PIPELINES = {
    "classify": "text-classification",
    "pair": "text-classification",
    "rank": "text-ranking",
    "language-model": "text-generation",
}


def download(repo_id: str, **asked: Any) -> Path:
    """The folder of a snapshot in the hub's cache.

    repo_id: `owner/name`.
    asked: what `huggingface_hub.snapshot_download` takes: `revision`, `cache_dir`, `force_download`,
        `local_files_only`, `token`, `endpoint`.
    Raises: InputError when the hub has no such run, or cannot be reached.
    """
    with _told(repo_id):
        folder = Path(
            snapshot_download(
                repo_id, allow_patterns=list(FILES), library_name="readhead", library_version=__version__, **asked
            )
        )
    if not (folder / RunFiles(folder).recipe.name).is_file():
        raise InputError(f"'{repo_id}' on the hub holds no run: it has no recipe.toml")
    return folder


def upload(
    folder: Path, repo_id: str, *, private: bool | None, token: str | bool | None, endpoint: str | None, **asked: Any
) -> str:
    """Commits a folder's files to a repository, which is made if it is not there. Returns the commit's address.

    private: of a repository that is made.
    asked: what else `HfApi.upload_folder` takes.
    Raises: InputError when the hub refuses or cannot be reached.
    """
    with _told(repo_id):
        api = HfApi(endpoint=endpoint, token=token, library_name="readhead", library_version=__version__)
        made = api.create_repo(repo_id, private=private, exist_ok=True)
        return str(api.upload_folder(repo_id=made.repo_id, folder_path=folder, **asked))


def mark(card: Path, task: str) -> None:
    """Puts before a model card what the hub sorts models by, unless something of that kind stands there."""
    text = card.read_text(encoding="utf-8")
    if not text.startswith("---\n"):
        pipeline = f"pipeline_tag: {PIPELINES[task]}\n" if task in PIPELINES else ""
        durable.write_text(card, f"---\nlibrary_name: readhead\n{pipeline}---\n\n{text}")


@contextmanager
def _told(repo_id: str) -> Iterator[None]:
    """What the hub's client raises, in one line of ours: its own errors are all of these kinds."""
    try:
        yield
    except HFValidationError as error:
        raise InputError(f"'{repo_id}' is no id of a model on the hub; expected such as owner/name: {error}") from None
    except RepositoryNotFoundError:
        raise InputError(f"'{repo_id}' on the hub: no such repository, or none that this token may see") from None
    except RevisionNotFoundError:
        raise InputError(f"'{repo_id}' on the hub: no such branch, tag or commit") from None
    except (HTTPError, OSError) as error:
        raise InputError(f"'{repo_id}' on the hub: {error}") from None
