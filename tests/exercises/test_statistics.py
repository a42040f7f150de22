"""Against scipy and numpy, which compute the same by other ways."""

import numpy as np
import pytest
from scipy import stats

from exercises.queries.statistics import distribution, mean, median, point_biserial


@pytest.mark.parametrize("size", [1, 2, 3, 40, 41])
def test_mean_and_median_are_those_of_numpy(size):
    values = np.random.default_rng(size).normal(0, 1e6, size).tolist()

    assert mean(values) == pytest.approx(np.mean(values), rel=1e-9)
    assert median(values) == pytest.approx(np.median(values), rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_point_biserial_is_that_of_scipy(seed):
    generator = np.random.default_rng(seed)
    passed = generator.random(200) < generator.uniform(0.1, 0.9)
    rest = generator.normal(50, 10, 200) + generator.uniform(-5, 15) * passed

    found = point_biserial(passed.tolist(), rest.tolist())

    assert found == pytest.approx(stats.pointbiserialr(passed, rest).statistic, abs=1e-9)


@pytest.mark.parametrize(
    ("passed", "rest"), [([], []), ([True, True], [1, 2]), ([False], [1.0]), ([True, False], [0.1 + 0.2, 0.3])]
)
def test_point_biserial_of_too_little_is_nothing(passed, rest):
    assert point_biserial(passed, rest) is None


def test_nothing_has_neither_mean_nor_median():
    assert mean([]) is None
    assert median([]) is None


def test_shares_fall_into_tenths():
    percents = range(101)

    found = distribution(percent / 100 for percent in percents)

    assert found == tuple(sum(percent // 10 == place for percent in percents) for place in range(11))
