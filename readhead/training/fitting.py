"""Whether corpus, task and model fit each other: told before anything is written."""

from __future__ import annotations

from collections.abc import Sequence

from torch import nn

from readhead.data.corpora.corpus import Corpus
from readhead.errors import InputError
from readhead.models.foretelling import Foretells
from readhead.models.language_model import LanguageModel
from readhead.plans import TrainingPlan
from readhead.recipe import Recipe
from readhead.tasks.task import Task
from readhead.training.request import Request

_MUST_FIT = "[corpus], [task] and [model] must fit each other"
_ANSWERS = {True: "foretells every next word", False: "answers with a label"}


def task_for(recipe: Recipe, corpus: Corpus) -> Task:
    """The task. Raises: InputError unless it is about the corpus's texts, and asks for labels if it has them."""
    part = recipe.parts["task"]
    asked: tuple[str, ...] = part.load().fields
    if asked != corpus.fields:
        told = f"the task reads {', '.join(asked)}, but the corpus gives {', '.join(corpus.fields)}"
        raise InputError(f"{told}; {_MUST_FIT}")
    task: Task = part.build(labels=corpus.labels)
    if task.foretells != (not corpus.labels):
        has = "has labels" if corpus.labels else "has no labels"
        raise InputError(f"the task {_ANSWERS[task.foretells]}, but the corpus {has}; {_MUST_FIT}")
    if not corpus.labels:
        _check_foretold(recipe)
    return task


def _check_foretold(recipe: Recipe) -> None:
    """Raises: InputError unless each text begins and ends with a marker, and every word has one class."""
    running = recipe.training.segment is not None
    first = "end" if running else "start"
    if (recipe.text.first, recipe.text.last) != (first, "end"):
        told = "running text ([training] segment)" if running else "a text without a label"
        raise InputError(f'{told} is foretold from mark to mark: expected first = "{first}", last = "end" in [text]')
    if recipe.vectors.oov == "hashed":
        raise InputError('every unknown word must be the same one to foretell: expected oov = "normal" in [vectors]')


def check_model(task: Task, model: nn.Module) -> None:
    """Raises: InputError unless the model reads as many texts as there are, and gives the kind of answer asked for."""
    if model.num_texts != len(task.fields):
        several = "s" if task.fields[1:] else ""
        gives = f"the corpus gives {len(task.fields)} text{several}, {', '.join(task.fields)}"
        raise InputError(f"the model reads {model.num_texts} at once, but {gives}; {_MUST_FIT}")
    foretells = isinstance(model, Foretells)
    if foretells != task.foretells:
        raise InputError(f"the task {_ANSWERS[task.foretells]}, but the model {_ANSWERS[foretells]}; {_MUST_FIT}")


def check_running(plan: TrainingPlan, model: nn.Module, labels: Sequence[str]) -> None:
    """Raises: InputError where texts can't be joined to one."""
    if plan.segment is None:
        return
    if labels:
        raise InputError("[training] segment joins texts to one; these have labels, and each must stand alone")
    if isinstance(model, LanguageModel) and not model.reader.bounded:
        raise InputError("[training] segment: what this reader keeps of a text grows without end; give [reader] span")


def check_counting(request: Request) -> None:
    """Raises: InputError for what a model that counts can't be asked."""
    if request.start is not None:
        raise InputError("--from: this recipe's model counts its texts, and starts at nobody's weights")
    if request.precision != "no":
        raise InputError(f"--precision {request.precision}: this recipe's model counts its texts, and has no other")
