"""The model card of a run: what it is, what it saw, how well it does, what it must not be used for."""

from __future__ import annotations

from readhead.recipe import Recipe
from readhead.run import RunRecord
from readhead.tasks.task import Metrics, Task

CARD = """# {name}

{summary}

| | |
|---|---|
| task | {task} |
| labels | {labels} |
| reader, model | {reader}, {model} |
| trainable parameters | {parameters:,} |
| trained on | {examples} |
| seed | {seed} |
| ended | {finished} |

## Figures

On the dev split, which also chose {chosen}: {metrics}.
{reading}{partial}
## Use

    readhead predict {folder}
    readhead explain {folder} {example}
    readhead evaluate {folder}

{kept}

## Limits

It has read what is named above and nothing else: on other kinds of text, measure first (`readhead evaluate --data`).
Texts are cut after {max_tokens} words; an answer says when. {scores}

## Data

{data}
"""

_WEIGHTS = "`weights.safetensors` holds the best weights by dev {}; `checkpoint/` holds the last ones."
_COUNTS = "`weights.safetensors` holds the counts' tables; nothing was descended, and nothing can be gone on with."
_SCORES = """Its scores were calibrated on the dev split (temperature
{:.3f}); they are probabilities only for text like that."""
_SURPRISAL = "Every word that its vocabulary lacks is one and the same word to it."


def card(recipe: Recipe, record: RunRecord, task: Task, metrics: Metrics, *, folder: str) -> str:
    """The card in Markdown."""
    segment = recipe.training.segment
    why = recipe.why_partial(record.complete_data)
    partial = f"\n**Partial or mixed data** ({why}): no figure here reproduces a paper's.\n"
    return CARD.format(
        name=recipe.name,
        summary=recipe.summary,
        task=recipe.parts["task"].kind,
        labels=", ".join(record.labels) or "none",
        reader=recipe.parts["reader"].kind if "reader" in recipe.parts else "its own",
        model=recipe.parts["model"].kind,
        parameters=record.parameters,
        examples=", ".join(f"{count:,} {split} {task.unit}" for split, count in record.examples.items()),
        seed=record.seed,
        finished=record.finished,
        metrics=", ".join(f"{name} {value:.4f}" for name, value in metrics.items()),
        partial=partial if why else "",
        folder=folder,
        example=" ".join(f'"{field}"' for field in task.fields),
        max_tokens=recipe.text.max_tokens,
        chosen="the weights" if task.foretells else "the weights and the temperature",
        kept=_WEIGHTS.format("loss" if recipe.training.choose_by == "loss" else task.watched)
        if "optimizer" in recipe.parts
        else _COUNTS,
        reading="" if segment is None else f"\nThe texts were read as running text, {segment} tokens a step.\n",
        scores=_SURPRISAL if task.foretells else _SCORES.format(record.temperature),
        data="\n".join(f"- `{name}`: SHA-256 `{digest}`" for name, digest in record.data.items()) or "- generated",
    )
