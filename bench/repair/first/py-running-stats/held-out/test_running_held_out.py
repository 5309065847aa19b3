import statistics

import pytest

from running import RunningStats


@pytest.mark.parametrize(
    "values",
    [[0, 10], [1.5, 2.5, 4.0], [-3, -3, 12, 7, 0.25], [1e6, 1e6 + 1, 1e6 + 2]],
)
def test_like_the_textbook(values):
    s = RunningStats(values)
    assert s.mean == pytest.approx(statistics.mean(values))
    assert s.variance() == pytest.approx(statistics.variance(values))
    assert s.stdev() == pytest.approx(statistics.stdev(values))


def test_merged_is_the_same_as_one_stream():
    a, b = [5, 1, 8], [2, 2, 10, 4]
    both = RunningStats(a).merged(RunningStats(b))
    assert both.count == 7
    assert both.mean == pytest.approx(statistics.mean(a + b))
    assert both.variance() == pytest.approx(statistics.variance(a + b))
    assert (both.low, both.high) == (1, 10)


def test_merge_with_empty_side():
    s = RunningStats([0, 3]).merged(RunningStats())
    assert s.variance() == pytest.approx(4.5)
