import math

import pytest

from running import RunningStats


def test_mean():
    assert RunningStats([1, 2, 3, 6]).mean == pytest.approx(3)


def test_equal_values_have_no_spread():
    assert RunningStats([4, 4, 4]).variance() == pytest.approx(0)


def test_variance():
    assert RunningStats([2, 4, 4, 4, 5, 5, 7, 9]).variance() == pytest.approx(32 / 7)


def test_one_value_has_no_variance():
    assert math.isnan(RunningStats([3]).variance())


def test_range():
    s = RunningStats([3, -1, 8])
    assert (s.low, s.high) == (-1, 8)


def test_merge_of_empty():
    assert RunningStats().merged(RunningStats()).count == 0
