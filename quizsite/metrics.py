"""Numbers for Prometheus, read from the database and from the workers' reports at each scrape: no process keeps any."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from exercises import runner_status
from exercises.queries import faults_lately, finished_lately, running_work, waiting_work

FIGURES = {
    "slots": "Runs at a time",
    "running": "Runs under way",
    "waiting": "Jobs that wait for a slot",
    "ready": "Children that wait for a job",
    "served": "Jobs since its start",
    "helpers_died": "Makers and warm programs that died since its start",
    "template_age_seconds": "Age of the warm program",
    "template_forks": "Forks of the warm program",
}


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The numbers, for whoever sends the token of QUIZSITE_METRICS_TOKEN; to others the address does not exist."""
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not secrets.compare_digest(sent.encode(), settings.METRICS_TOKEN.encode()):
        raise Http404
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Work())
    registry.register(Runner())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Work(Collector):
    """What waits, runs and was finished within the last quarter of an hour."""

    def collect(self) -> Iterator[Metric]:
        now = timezone.now()
        waiting, lately = waiting_work(at=now), finished_lately(at=now)
        yield _gauge("queue_waiting", "Work that waits", "lane", {each.lane: each.count for each in waiting})
        ages = {each.lane: each.age_seconds for each in waiting}
        yield _gauge("queue_age_seconds", "How long the oldest that waits has waited", "lane", ages)
        oldest = max(ages.values(), default=0)
        yield GaugeMetricFamily("quizsite_queue_oldest_seconds", "The same over all lanes; 0: nothing waits", oldest)
        yield _gauge("work_running", "Work that workers hold", "kind", running_work())
        yield _gauge("verdicts_lately", "Verdicts of the last 15 minutes", "verdict", lately.verdicts)
        stages = GaugeMetricFamily(
            "quizsite_stage_seconds", "How long gradings of the last 15 minutes took", labels=["stage", "quantile"]
        )
        for stage in lately.stages:
            stages.add_metric([stage.name, "0.5"], stage.p50)
            stages.add_metric([stage.name, "0.95"], stage.p95)
        yield stages
        faults = faults_lately(at=now).count()
        yield GaugeMetricFamily("quizsite_faults_lately", "Given up by our fault within 24 hours", faults)


class Runner(Collector):
    """How the worker of each host last saw its runner. Nothing where none has reported."""

    def collect(self) -> Iterator[Metric]:
        statuses = runner_status.every()
        if not statuses:
            return
        ages = {status.host: max(time.time() - status.reported_at, 0) for status in statuses}
        yield _gauge("runner_report_age_seconds", "Since the last report", "runner", ages)
        # A host that went away has no slots any more, and says nothing of how the others are.
        heard = [status for status in statuses if runner_status.is_fresh(status)]
        answers = {status.host: int(not status.fault) for status in heard}
        yield _gauge("runner_answers", "1: it did, at the last report", "runner", answers)
        tight = {status.host: int(status.isolation == runner_status.TIGHT) for status in heard}
        yield _gauge("runner_tight", "1: no required layer is open", "runner", tight)
        yield from _figures({status.host: status.figures for status in heard if status.figures is not None})


def _figures(of_hosts: dict[str, runner_status.RunnerFigures]) -> Iterator[Metric]:
    """What each runner said of itself at the last report."""
    for name, words in FIGURES.items():
        numbers = {host: getattr(figures, name) for host, figures in of_hosts.items()}
        yield _gauge(f"runner_{name}", words, "runner", numbers)
    states = GaugeMetricFamily(
        "quizsite_runner_layer", "1: the state of this layer", labels=["runner", "layer", "state"]
    )
    versions = InfoMetricFamily(
        "quizsite_runner", "Mode and versions", labels=["runner", "mode", "protocol", "torch", "cpu"]
    )
    for host, figures in of_hosts.items():
        for layer, state in figures.layers.items():
            states.add_metric([host, layer, state], 1)
        said = [figures.mode, str(figures.protocol), figures.torch_version, figures.cpu_capability]
        versions.add_metric([host, *said], {})
    yield states
    yield versions


def _gauge(name: str, words: str, label: str, values: dict[str, int] | dict[str, float]) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(f"quizsite_{name}", words, labels=[label])
    for value, number in values.items():
        gauge.add_metric([value], number)
    return gauge
