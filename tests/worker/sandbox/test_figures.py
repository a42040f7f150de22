"""What staff see of a runner is told by a real one."""

from dataclasses import asdict, fields

from exercises.runner_status import RunnerFigures
from worker.figures import figures_of


def test_runner_tells_every_figure(runner):
    said = runner.status()

    figures = figures_of(said)

    assert {each.name for each in fields(RunnerFigures)} <= {*said, "ready"}
    assert (figures.slots >= 1, figures.protocol >= 1, figures.template_age_seconds > 0) == (True, True, True)
    assert (figures.ready, figures.layers["no network"]) == (said["containers"]["ready"], "tight")
    assert figures.torch_version == said["torch_version"]


def test_runner_of_another_release_tells_what_it_can():
    assert asdict(figures_of({"slots": 2, "news": 1})) == asdict(RunnerFigures(slots=2))
