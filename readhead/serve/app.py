"""The routes: which request is whose."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from readhead import __version__
from readhead.errors import InputError
from readhead.explain.html import document, fragment
from readhead.explain.ranking import RankingExplained
from readhead.explain.record import Explanation
from readhead.schema import nearest
from readhead.serve import envelope, rerank
from readhead.serve.assets import Asset, assets
from readhead.serve.batcher import Answer
from readhead.serve.body import json_body
from readhead.serve.door import Door
from readhead.serve.envelope import Envelope
from readhead.serve.events import EventStream
from readhead.serve.keys import Keys
from readhead.serve.limits import Limits
from readhead.serve.metrics import CONTENT_TYPE, Metrics
from readhead.serve.parameters import Check, count, flag, share
from readhead.serve.patience import Patience
from readhead.serve.reference import DESCRIPTION, ROUTES, reference_page
from readhead.serve.refusal import Refusal, wrong
from readhead.serve.served import Served
from readhead.serve.wire import json_bytes

PREDICT: Mapping[str, Check] = {"abstain": share, "top_k": count}
EXPLAIN: Mapping[str, Check] = {"attribution": flag, "picture": flag}

# A page on its own, with a style and a script inside: it is kept, and not shown as a part of this service.
_FILE = {"Content-Disposition": 'attachment; filename="explanation.html"'}

Endpoint = Callable[[Request], Awaitable[Response]]


class Service:
    """Runs by name, over HTTP.

    served: each under a name of its own; where there is one alone, no request need name it.
    limits, metrics, keys: of the whole service.
    """

    def __init__(self, served: Sequence[Served], *, limits: Limits, metrics: Metrics, keys: Keys) -> None:
        self.served = {one.name: one for one in served}
        self.limits, self.metrics = limits, metrics
        self.info: dict[str, Any] = {
            "readhead": __version__,
            "models": [one.about() for one in served],
            "limits": _told(limits),
        }
        self.assets, self.reference = assets(), reference_page(self.info["models"])
        self.api = self._api()
        paths = {*ROUTES, "/", *self.assets}
        self.door = Door(self.api, routes=paths, keys=keys, metrics=metrics, most=limits.requests)

    def close(self) -> None:
        """Lets the threads go."""
        for one in self.served.values():
            one.close()

    async def predict(self, request: Request) -> Response:
        """An answer to each record."""
        async with Patience(self.limits.seconds) as patience:
            asked, served = await self._opened(request, patience, PREDICT)
            answers = await served.predict(asked.items, asked.parameters)
            if asked.alone and "error" in answers[0]:
                raise wrong("wrong record", answers[0]["error"])
            if "top_k" in asked.parameters:
                return _json([_labels(answer, asked.parameters["top_k"]) for answer in answers])
            return _json(answers[0] if asked.alone else answers)

    async def rerank(self, request: Request) -> Response:
        """A question's candidates, the likeliest answer first."""
        async with Patience(self.limits.seconds) as patience:
            question = rerank.read(await self._body(request, patience))
            served = self._named(question.model, request)
            return _json(question.answer(await served.rank(question.text, question.candidates)))

    async def explain(self, request: Request) -> Response:
        """One reading: the record that every picture is drawn from, the picture, or the whole as one HTML file."""
        async with Patience(self.limits.seconds) as patience:
            asked, served = await self._opened(request, patience, EXPLAIN)
            explained = await served.explain(_one(asked), attribution=asked.parameters.get("attribution", False))
            if "text/html" in request.headers.get("accept", ""):
                written = partial(document, explained, about=f"Read by {served.name}.")
                page = (await served.batcher.call(written)).encode()
                return Response(page, headers=_FILE, media_type="text/html")
            body = partial(_explanation, explained, picture=asked.parameters.get("picture", False))
            return Response(await served.batcher.call(body), media_type="application/json")

    async def stream(self, request: Request) -> Response:
        """A reading word by word, as server-sent events."""
        async with Patience(self.limits.seconds) as patience:
            asked, served = await self._opened(request, patience, {})
            events = served.stream(_one(asked))
        return EventStream(events, seconds=self.limits.seconds)

    async def live(self, request: Request) -> Response:
        """The process answers."""
        return _json({"status": "live"})

    async def ready(self, request: Request) -> Response:
        """Runs are loaded and requests are let in; 503 once the service shuts down."""
        if self.door.closing:
            return _json({"status": "shutting down"}, HTTPStatus.SERVICE_UNAVAILABLE)
        return _json({"status": "ready"})

    async def about(self, request: Request) -> Response:
        """What is served, and within which limits."""
        return _json(self.info)

    async def metered(self, request: Request) -> Response:
        """The counters, as Prometheus reads them."""
        return Response(self.metrics.text(), media_type=CONTENT_TYPE)

    async def described(self, request: Request) -> Response:
        """This API for people."""
        return Response(self.reference, media_type="text/html")

    async def openapi(self, request: Request) -> Response:
        """This API for programs."""
        return _json(self.api.openapi())

    def _api(self) -> FastAPI:
        # FastAPI's own pages of an API load their scripts from elsewhere; ours does not.
        api = FastAPI(
            title="readhead",
            version=__version__,
            description=DESCRIPTION,
            docs_url=None,
            redoc_url=None,
            openapi_url=None,
            redirect_slashes=False,
        )
        for path, described in ROUTES.items():
            endpoint = getattr(self, described.endpoint)
            api.add_api_route(path, endpoint, **described.for_fastapi())
            if described.method == "GET":
                api.add_api_route(path, endpoint, methods=["HEAD"], include_in_schema=False)
        for path, asset in self.assets.items():
            api.add_api_route(path, _sends(asset), methods=["GET", "HEAD"], include_in_schema=False)
        api.add_exception_handler(Refusal, _refused)
        api.add_exception_handler(InputError, _wrong_input)
        api.add_exception_handler(HTTPException, _no_route)
        api.add_exception_handler(Exception, _our_fault)
        return api

    async def _opened(
        self, request: Request, patience: Patience, known: Mapping[str, Check]
    ) -> tuple[Envelope, Served]:
        asked = envelope.opened(await self._body(request, patience), known)
        return asked, self._named(asked.model, request)

    async def _body(self, request: Request, patience: Patience) -> Any:
        body = await json_body(request, self.limits.body)
        patience.watch(request.receive)
        return body

    def _named(self, in_body: str | None, request: Request) -> Served:
        in_address = request.query_params.get("model")
        if in_body is not None and in_address not in (None, in_body):
            told = f'the field "model" is {in_body!r}, and the address asks for {in_address!r}; expected one of them'
            raise wrong("two models", told)
        name = in_address if in_body is None else in_body
        if name is None and len(self.served) == 1:
            return next(iter(self.served.values()))
        if name is None:
            told = f'the field "model" is missing, and {len(self.served)} are served: {", ".join(self.served)}'
            raise wrong("missing field", told)
        if name not in self.served:
            told = f'the field "model" names none that is served: {name!r}; {nearest(name, self.served)}'
            raise Refusal(HTTPStatus.NOT_FOUND, "unknown model", told)
        return self.served[name]


def _one(asked: Envelope) -> Any:
    if len(asked.items) != 1:
        raise wrong("wrong type", f"one record is explained or streamed at a time; the list holds {len(asked.items)}")
    return asked.items[0]


def _explanation(explained: Explanation | RankingExplained, *, picture: bool) -> bytes:
    """The record, or the record and its picture."""
    record = explained.plain()
    return json_bytes({"explanation": record, "picture": fragment(explained)} if picture else record)


def _labels(answer: Answer, most: int) -> Any:
    """An answer as Hugging Face's clients read it: labels with their scores, the likeliest first."""
    if "error" in answer:
        return answer
    if "scores" not in answer:
        raise wrong("wrong model", 'the field "parameters.top_k" asks for labels, and this run answers without any')
    likeliest = sorted(answer["scores"].items(), key=lambda entry: -entry[1])[:most]
    return [{"label": label, "score": score} for label, score in likeliest]


def _json(value: Any, status: int = HTTPStatus.OK) -> Response:
    return Response(json_bytes(value), status, media_type="application/json")


def _told(limits: Limits) -> dict[str, Any]:
    return {name: getattr(limits, name) for name in Limits.__slots__}


def _sends(asset: Asset) -> Endpoint:
    async def send(request: Request) -> Response:
        return asset.response(request.headers.get("if-none-match"))

    return send


async def _refused(request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, Refusal)
    return refusal.response()


async def _wrong_input(request: Request, error: Exception) -> Response:
    return wrong("wrong input", str(error)).response()


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.url.path
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        told = f"{path} does not take {request.method}; expected {(error.headers or {}).get('Allow', 'another method')}"
        return Refusal(error.status_code, "method not allowed", told, headers=error.headers).response()
    told = f"there is no {path!r}; {nearest(path, ROUTES)}"
    return Refusal(error.status_code, "not found", told).response()


async def _our_fault(request: Request, error: Exception) -> Response:
    logging.getLogger("readhead.serve").error("%s %s: %r", request.method, request.url.path, error)
    told = "this is our fault, not yours; the service's log has more"
    return Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "internal error", told).response()
