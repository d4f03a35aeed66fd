"""The API described: once, for OpenAPI and for the page at /docs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from readhead import __version__
from readhead.serve.events import MEDIA_TYPE

DESCRIPTION = """Runs of readhead over HTTP. Every route takes and gives JSON, but for the page, the events of
/v1/stream and the counters of /metrics. Where several runs are served, the field "model" or the address's ?model= names
one. Every answer has an X-Request-ID: the one that was sent, or a new one. Whatever is refused is answered with
{"error", "detail"}; the detail names the field that is wrong."""

Schema = Mapping[str, Any]
Model = Mapping[str, Any]

_CODE = re.compile("`([^`]+)`")

_TEXT: Schema = {"type": "string"}
_RECORD: Schema = {
    "type": "object",
    "description": "The texts that the run reads, by field name: text; premise and hypothesis; question and "
    'candidates. A language model also takes "continue", how many words to go on with, and "seed".',
    "additionalProperties": True,
}
_LIST: Schema = {"type": "array", "items": _RECORD}
_MODEL: Schema = {"type": "string", "description": "The run that is meant; may be left out where there is one."}
_ERROR: Schema = {
    "type": "object",
    "required": ["error", "detail"],
    "properties": {"error": _TEXT, "detail": _TEXT},
}
_REFUSALS = {
    400: "The body is not JSON.",
    401: "The key is missing or wrong.",
    404: "No such run, or no such route.",
    408: "The request did not arrive in time.",
    413: "The body is too long, or asks about too much at once.",
    415: "The Content-Type is not application/json.",
    422: "A field is missing, unknown or of the wrong type.",
    429: "Too much waits already; Retry-After says when to ask again.",
    503: "The service is shutting down.",
    504: "No answer was found in time.",
}


def _object(required: Sequence[str], **properties: Schema) -> Schema:
    return {"type": "object", "required": list(required), "properties": properties}


def _parameters(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False}


_PREDICT = _parameters(
    abstain={"type": "number", "minimum": 0, "maximum": 1, "description": "Give no label below this probability."},
    top_k={
        "type": "integer",
        "minimum": 1,
        "description": "Answer as Hugging Face's clients read it: a list of labels for each input.",
    },
)
_EXPLAIN = _parameters(
    attribution={"type": "boolean", "description": "Also what each token adds to the answer; takes some seconds."},
    picture={"type": "boolean", "description": 'Answer {"explanation", "picture"}: the picture is HTML.'},
)


def _inputs(parameters: Schema) -> Schema:
    inputs: Schema = {"oneOf": [_TEXT, _RECORD, {"type": "array", "items": {"oneOf": [_TEXT, _RECORD]}}]}
    return _object(["inputs"], inputs=inputs, parameters=parameters, model=_MODEL)


@dataclass(frozen=True, slots=True)
class Described:
    """A route.

    endpoint: the method of `Service` that answers.
    summary: what it does, in a line.
    told: more of it, in sentences.
    body: the schema of what it takes; None for a GET.
    examples: bodies that it takes.
    answers: an answer that it gives.
    media_type: of what it gives.
    """

    endpoint: str
    summary: str
    told: str = ""
    body: Schema | None = None
    examples: Sequence[Any] = field(default_factory=tuple)
    answers: Any = None
    media_type: str = "application/json"

    @property
    def method(self) -> str:
        """GET or POST."""
        return "GET" if self.body is None else "POST"

    def for_fastapi(self) -> dict[str, Any]:
        """The keywords of `add_api_route`."""
        refused = {"application/json": {"schema": _ERROR}}
        codes = _REFUSALS if self.body is not None else {401: _REFUSALS[401]}
        given = {"content": {self.media_type: {} if self.answers is None else {"example": self.answers}}}
        return {
            "methods": [self.method],
            "summary": self.summary,
            "description": self.told or self.summary,
            "responses": {200: {"description": "Answered.", **given}}
            | {code: {"description": told, "content": refused} for code, told in codes.items()},
            "openapi_extra": self._body(),
            "response_model": None,
        }

    def _body(self) -> dict[str, Any]:
        if self.body is None:
            return {}
        examples = {f"example {number}": {"value": value} for number, value in enumerate(self.examples, start=1)}
        content = {"application/json": {"schema": self.body, "examples": examples}}
        model = {"name": "model", "in": "query", "required": False, "schema": _MODEL}
        return {"requestBody": {"required": True, "content": content}, "parameters": [model]}


ROUTES: Mapping[str, Described] = {
    "/v1/predict": Described(
        "predict",
        "Answer records, or Hugging Face's inputs.",
        "One in, one out; a list in, a list out, in its order. A record of a list that cannot be answered has "
        '{"error", "place"} in its place and the others are answered; one that stands alone is refused with 422. '
        'Fields that were longer than the run reads are named in "truncated". The answers are those of `readhead '
        "predict`.",
        {"oneOf": [_inputs(_PREDICT), _object(["records"], records=_LIST, parameters=_PREDICT), _LIST, _RECORD]},
        (
            {"text": "The plot is thin, but the cast is a joy."},
            {"premise": "A dog runs along the beach.", "hypothesis": "An animal is outside."},
            {"inputs": ["A joy to watch.", "Two hours that I want back."], "parameters": {"top_k": 1}},
        ),
        {"label": "positive", "scores": {"negative": 0.08, "positive": 0.92}},
    ),
    "/v1/rerank": Described(
        "rerank",
        "Put a question's candidates in order, the likeliest answer first.",
        'Asked with "query" and "documents", it answers as other rerankers do: {"results": [{"index", '
        '"relevance_score"}]}. "top_n" keeps the first of them.',
        {
            "oneOf": [
                _object(["question", "candidates"], question=_TEXT, candidates={"type": "array", "items": _TEXT}),
                _object(["query", "documents"], query=_TEXT, documents={"type": "array", "items": _TEXT}),
            ]
        },
        (
            {
                "question": "Where do puffins nest?",
                "candidates": ["Puffins eat fish.", "They dig burrows in cliffs by the sea."],
            },
        ),
        {"ranking": [{"candidate": "They dig burrows in cliffs by the sea.", "score": 0.83, "place": 1}]},
    ),
    "/v1/explain": Described(
        "explain",
        "One reading with its reasons: tokens, attention, memory, answer.",
        'The record that all pictures are drawn from. {"parameters": {"picture": true}} adds the picture as HTML, and '
        '"attribution" what each token adds to the answer. With the header Accept: text/html it is one HTML file that '
        "works offline.",
        {"oneOf": [_inputs(_EXPLAIN), _RECORD]},
        ({"premise": "A dog runs along the beach.", "hypothesis": "An animal is outside."},),
    ),
    "/v1/stream": Described(
        "stream",
        "Read word by word, as server-sent events.",
        "Of runs that read from left to right: after each word an event `word`, with its surprisal in bits (a language "
        "model) or the label and scores so far (a classifier); then an event `answer`. A language model asked to "
        '"continue" sends the words that it draws.',
        _RECORD,
        ({"text": "The train stopped in the middle of nowhere."},),
        media_type=MEDIA_TYPE,
    ),
    "/health/live": Described("live", "The process answers."),
    "/health/ready": Described("ready", "Requests are taken; 503 once the service shuts down."),
    "/info": Described("about", "What is served, and within which limits."),
    "/metrics": Described("metered", "Counters for Prometheus.", media_type="text/plain"),
    "/docs": Described("described", "This page.", media_type="text/html"),
    "/openapi.json": Described("openapi", "This API as OpenAPI."),
}


def reference_page(models: Sequence[Model]) -> str:
    """The page at /docs: every route, and a form that tries it. Nothing of it comes from elsewhere.

    models: what is served, as /info tells it: what a form sends is for the first one that can read it.
    """
    routes = "\n".join(_section(path, described, models) for path, described in ROUTES.items())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>readhead: the API</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/explanation.css">
<link rel="stylesheet" href="/assets/page.css">
<script type="module" src="/assets/docs.js"></script>
</head>
<body class="readhead">
<header><h1><a href="/">readhead</a>: the API</h1><p>Version {escape(__version__)}. {escape(DESCRIPTION)}</p></header>
<main>
{routes}
</main>
</body>
</html>
"""


def _section(path: str, described: Described, models: Sequence[Model]) -> str:
    told = f"<p>{_marked(described.told)}</p>" if described.told else ""
    shape = f"<p>Answer, for example:</p><pre>{escape(_indented(described.answers))}</pre>" if described.answers else ""
    return f"""<section class="route" aria-labelledby="{path}">
<h2 id="{path}"><code>{described.method} {path}</code></h2>
<p>{escape(described.summary)}</p>{told}{_forms(path, described, models)}{shape}
</section>"""


def _marked(text: str) -> str:
    """Plain text as HTML, `code` in its own letters."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def _forms(path: str, described: Described, models: Sequence[Model]) -> str:
    if described.body is None:
        return f'<p><a href="{path}">{path}</a></p>'
    return "".join(_tried(path, example, models) for example in described.examples)


def _tried(path: str, example: Mapping[str, Any], models: Sequence[Model]) -> str:
    """A form that works, or the body alone where nothing that is served could answer it."""
    fits = next((model["name"] for model in models if _reads(model, path, example)), None)
    if fits is None:
        told = '<p class="faint">Nothing that is served here reads this.</p>'
        return f"<p>Body:</p><pre>{escape(_indented(example))}</pre>{told}"
    return _form(path, _indented({**example, "model": fits} if len(models) > 1 else example))


def _reads(model: Model, path: str, example: Mapping[str, Any]) -> bool:
    if path == "/v1/stream" and not model["streams"]:
        return False
    if "inputs" in example:
        return len(model["fields"]) == 1 and bool(model["labels"])
    return set(model["fields"]) == example.keys()


def _form(path: str, body: str) -> str:
    lines = len(body.splitlines())
    return f"""<form class="try" data-path="{path}">
<label>Body <textarea name="body" spellcheck="false" rows="{lines}">{escape(body)}</textarea></label>
<p><button>Send</button></p><pre class="sent" role="status" hidden></pre>
</form>"""


def _indented(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
