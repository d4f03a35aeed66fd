"""A trained run as an object: `readhead.load("nli")` gives one."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from huggingface_hub import ModelHubMixin

from readhead import durable, shipped
from readhead.errors import InputError
from readhead.explain.ranking import RankingExplained
from readhead.explain.record import Explanation
from readhead.prediction.predictor import Predictor
from readhead.prediction.records import Asked, Form, what_is_wrong
from readhead.prediction.sampling import Continuation
from readhead.pretrained import hub
from readhead.pretrained.summary import as_html, as_line
from readhead.run import Run, RunFiles
from readhead.schema import nearest

Record = Mapping[str, Any]
Reply = dict[str, Any]


def load(run: str | Path, *, device: str = "cpu") -> Reader:
    """Opens a run to read with.

    run: its directory, or the name of a shipped model; where both are there, the directory is opened, with a warning.
    device: `cpu`, `cuda` or `cuda:N`.
    Raises: InputError, with the nearest shipped name, for neither; and for a directory that holds no finished run.
    """
    return Reader(Run.open(shipped.find(run, tell=lambda note: warnings.warn(note, stacklevel=4)), device=device))


class Reader(ModelHubMixin, library_name="readhead"):
    """A trained run that answers texts as `readhead predict` does, from Python.

        reader = readhead.load("path/to/run")
        reader("A text.")                                       # {"label": ..., "scores": {...}}
        reader(premise="A dog runs.", hypothesis="It rests.")   # the same, of a run that reads pairs
        reader(question="Who?", candidates=["She.", "He."])     # {"ranking": [...]}
        reader([{"premise": ..., "hypothesis": ...}, ...])      # many in one call, answered in order
        reader.explain("A text.")                               # with its attention

    Not to be confused with the layers in `readhead.readers`: one of those is a part of the model of a run.

    run: as `Run.open` gives it.
    batch_size: records that are read at once, at most.

    Of the hub's mixin it has `save_pretrained`. `from_pretrained` and `push_to_hub` are its own: they can be told
    another endpoint, and look for no `config.json`, since a run has its own files.
    """

    def __new__(cls, *given: Any, **named: Any) -> Reader:  # noqa: D102
        # The mixin's own copies what a constructor is given into a config.json: here all of a run's weights.
        return object.__new__(cls)

    def __init__(self, run: Run, *, batch_size: int = 64) -> None:
        self._predictor = Predictor(run=run, batch_size=batch_size)

    @property
    def run(self) -> Run:
        """The run itself: its record, vocabulary, model, ..."""
        return self._predictor.run

    @overload  # a str is an iterable of them too: the first that fits is meant
    def __call__(self, given: str | Record, /) -> Reply: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, given: Iterable[str | Record], /) -> list[Reply]: ...
    @overload
    def __call__(self, /, **texts: Any) -> Reply: ...

    def __call__(self, given: str | Record | Iterable[str | Record] | None = None, /, **texts: Any) -> Any:
        """Answers one record, or a list of them in its order.

        given: a record as a line of `readhead predict` has it, by field name; a text, where the run reads one alone;
            or a list of such.
        texts: or else one record, by keyword.

        Returns what `readhead predict` writes for each: `label` and `scores`, `ranking`, or `perplexity` and
        `surprisal`; and `truncated`, the fields that were longer than the run reads.
        Raises: InputError for a record that does not hold what the run reads, told by its place in the list; then
            nothing is answered.
        """
        if given is None or isinstance(given, str | Mapping):
            return self._answered([self._asked(self._one(given, texts), 0)])[0]
        _refuse_both(texts)
        return self._answered([self._asked(record, place) for place, record in enumerate(given, start=1)])

    def explain(self, text: str | None = None, /, *, attribution: bool = False, **texts: str) -> Explanation:
        """One reading with its attention and what stood in the memory; a notebook shows it as a picture.

        Attention alone is no explanation: a word may be looked at and change nothing. The attribution tells which words
        the answer rests on.

        text: where the run reads one alone.
        texts: or else each by its field's name; of a run that ranks, `question` and `candidate`.
        attribution: whether also to work out, by integrated gradients, how many bits each token adds to the answer's
            score; it takes as long as some dozens of readings, or some hundreds.
        Raises: InputError for other texts than the run reads, and for an attribution of a model without word vectors.
        """
        form = Form(self.run.task.fields)
        record = self._one(text, texts)
        _check(record, form, "")
        (reading,) = form.readings(record)
        return self._predictor.explain(reading, attribution=attribution)

    def explain_ranking(
        self, question: str, candidates: Sequence[str], *, attribution: bool = False
    ) -> RankingExplained:
        """The candidates of a question, the likeliest answer first, each as `explain` explains it.

        Raises: InputError if the run ranks nothing.
        """
        return self._predictor.explain_ranking(question, candidates, attribution=attribution)

    def continuation(self, text: str, *, words: int, seed: int = 0) -> str:
        """What a language model goes on with: at most so many words, drawn; another seed draws others.

        Raises: InputError if the run is no language model.
        """
        if not self.run.task.foretells:
            raise InputError("only a language model can go on with a text")
        wanted = Continuation.asked({"continue": words, "seed": seed})
        reading = self._one(text, {})
        _check(reading, self._predictor.form, "")
        return "" if wanted is None else self._predictor.continuation(reading, wanted)

    @classmethod
    def from_pretrained(  # type: ignore[override]  # it passes nothing on to a constructor
        cls,
        run: str | Path,
        *,
        device: str = "cpu",
        revision: str | None = None,
        cache_dir: str | Path | None = None,
        force_download: bool = False,
        local_files_only: bool = False,
        token: str | bool | None = None,
        endpoint: str | None = None,
    ) -> Reader:
        """Opens a run directory, or one from the hub.

        run: the directory, or the hub's `owner/name`.
        device: `cpu`, `cuda` or `cuda:N`.
        revision: on the hub, a branch, tag or commit.
        cache_dir: where what comes from the hub is kept; None = where the hub's client keeps everything.
        force_download: even what is kept.
        local_files_only: nothing but what is kept.
        token: for the hub; None = the one that its client was given, False = none.
        endpoint: the hub's address, such as that of a mirror.
        Raises: InputError when there is no such run, the hub cannot be reached, or what lies there is no run.
        """
        given = Path(run)
        if given.is_dir():
            return cls(Run.open(given, device=device))
        if str(run).count("/") != 1:
            told = "no such run directory, and no id on the hub, such as owner/name"
            meant = f"; `readhead.load('{run}')` opens the shipped model" if str(run) in shipped.shipped() else ""
            raise InputError(told + meant, file=given)
        asked = {"revision": revision, "cache_dir": cache_dir, "force_download": force_download}
        folder = hub.download(str(run), local_files_only=local_files_only, token=token, endpoint=endpoint, **asked)
        return cls(Run.open(folder, device=device))

    def push_to_hub(
        self,
        repo_id: str,
        *,
        config: Any = None,
        commit_message: str = "Push a readhead run",
        private: bool | None = None,
        token: str | bool | None = None,
        branch: str | None = None,
        create_pr: bool | None = None,
        allow_patterns: list[str] | str | None = None,
        ignore_patterns: list[str] | str | None = None,
        delete_patterns: list[str] | str | None = None,
        model_card_kwargs: dict[str, Any] | None = None,
        endpoint: str | None = None,
    ) -> str:
        """Puts the run on the hub, in one commit. Its README.md is the model card.

        repo_id: `owner/name`; made if it is not there.
        config, model_card_kwargs: the mixin has them; a run has its own record and its own card.
        private: of a repository that is made; None = as the owner's default is.
        branch, create_pr: where the commit goes.
        allow_patterns, ignore_patterns, delete_patterns: as `huggingface_hub.upload_folder` has them.
        token, endpoint: as `from_pretrained` has them.
        Returns the commit's address.
        Raises: InputError when the hub refuses or cannot be reached.
        """
        if config or model_card_kwargs:
            raise InputError("a run has its own record and card; expected neither config nor model_card_kwargs")
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            self._save_pretrained(folder)
            hub.mark(RunFiles(folder).card, self.run.recipe.parts["task"].kind)
            return hub.upload(
                folder,
                repo_id,
                private=private,
                token=token,
                endpoint=endpoint,
                commit_message=commit_message,
                revision=branch,
                create_pr=create_pr,
                allow_patterns=allow_patterns,
                ignore_patterns=ignore_patterns,
                delete_patterns=delete_patterns,
            )

    def _save_pretrained(self, save_directory: Path) -> None:
        """The files that others need. Raises: InputError for a run without a model card, or its own directory."""
        files = self.run.files
        if save_directory.resolve() == files.folder.resolve():
            raise InputError("this is the run's own directory; expected another to save it in", file=save_directory)
        if not files.card.is_file():
            raise InputError("the model card of this run is missing", file=files.card)
        for path in files.shared:
            if path.is_file():
                durable.write(save_directory / path.name, path.read_bytes())

    def _one(self, given: str | Record | None, texts: Mapping[str, Any]) -> Record:
        """The one record that a call holds, whichever way it is written."""
        if given is None:
            unknown = next((name for name in texts if name not in self._known), None)
            if unknown is not None:
                raise InputError(f"this run reads no '{unknown}'; {nearest(unknown, self._known)}")
            return texts
        _refuse_both(texts)
        return given if isinstance(given, Mapping) else self._alone(given)

    @property
    def _known(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self._predictor.form.names, *self.run.task.fields]))

    def _alone(self, text: str) -> Record:
        fields = self._predictor.form.names
        if len(fields) != 1:
            told = ", ".join(f"{name}=..." for name in fields)
            raise InputError(f"this run reads {' and '.join(fields)}; expected reader({told})")
        return {fields[0]: text}

    def _asked(self, record: str | Record, place: int) -> Asked:
        """A record checked. place: in a list, from 1; 0 for one that stands alone."""
        where = f"record {place}: " if place else ""
        record = self._alone(record) if isinstance(record, str) else record
        form = self._predictor.form
        _check(record, form, where)
        rest = {name: value for name, value in record.items() if name not in form.names}
        return Asked(place, form.readings(record), asked=rest)

    def _answered(self, asked: Sequence[Asked]) -> list[Reply]:
        (answers,) = self._predictor.stream([asked])
        for line, answer in zip(asked, answers, strict=True):
            if "error" in answer and "line" in answer:
                raise InputError((f"record {line.line}: " if line.line else "") + answer["error"])
        return answers

    def __repr__(self) -> str:
        return as_line(self.run)

    def _repr_html_(self) -> str:
        """What a notebook shows of it: what it is, what it was trained on, how well it does."""
        return as_html(self.run)


def _refuse_both(texts: Mapping[str, Any]) -> None:
    if texts:
        raise InputError(f"expected either one argument or keywords, not both ({', '.join(texts)})")


def _check(record: Any, form: Form, where: str) -> None:
    # what_is_wrong asks for a plain object, as JSON has it.
    if wrong := what_is_wrong(dict(record) if isinstance(record, Mapping) else record, form):
        raise InputError(where + wrong)
