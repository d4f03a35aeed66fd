"""What is counted, in Prometheus' words: `GET /metrics`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

from readhead import __version__

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """One service's counters, in a registry of its own: several in one process do not meet."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        build = Gauge("readhead_build_info", "The version that runs.", ["version"], registry=self.registry)
        build.labels(__version__).set(1)
        self._requests = Counter("readhead_requests", "Requests answered.", ["route", "status"], registry=self.registry)
        self._seconds = Histogram(
            "readhead_request_seconds", "To the answer.", ["route"], registry=self.registry, buckets=SECONDS
        )
        self.in_flight = Gauge("readhead_requests_in_flight", "Requests being worked on.", registry=self.registry)
        self._records = Counter(
            "readhead_records", "Records, by what became of them.", ["model", "outcome"], registry=self.registry
        )
        self._batches = Histogram(
            "readhead_batch_size", "Texts read together.", ["model"], registry=self.registry, buckets=SIZES
        )
        self._queue = Gauge("readhead_queue_length", "Texts that wait to be read.", ["model"], registry=self.registry)
        # Finding the counter of some labels takes longer than counting.
        self._request = cache(lambda route, status: self._requests.labels(route, str(status)))
        self._second = cache(self._seconds.labels)
        self._record = cache(self._records.labels)

    def answered(self, route: str, status: int, seconds: float) -> None:
        """A request is done. route: one that there is, or "other"."""
        self._request(route, status).inc()
        self._second(route).observe(seconds)

    def records(self, model: str, outcome: str, count: int) -> None:
        """So many records of a request were answered, truncated, in error or explained."""
        if count:
            self._record(model, outcome).inc(count)

    def batches(self, model: str) -> Callable[[int], None]:
        """What is told the size of each of a run's batches."""
        return self._batches.labels(model).observe

    def watch_queue(self, model: str, waiting: Callable[[], int]) -> None:
        """Shows how many texts wait for a run. waiting: asked whenever somebody looks."""
        self._queue.labels(model).set_function(waiting)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)
