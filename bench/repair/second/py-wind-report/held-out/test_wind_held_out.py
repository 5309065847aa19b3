import pytest

from wind import Reading, mean_direction, summary


def test_north_west_side():
    assert mean_direction([Reading(280, 4), Reading(20, 4)]) == pytest.approx(330)


def test_weighted_by_speed():
    # 3 from the east, 4 from the north
    assert mean_direction([Reading(90, 3), Reading(0, 4)]) == pytest.approx(36.869898, abs=1e-4)


def test_stronger_of_two_opposites_wins():
    assert mean_direction([Reading(45, 2), Reading(225, 5)]) == pytest.approx(225)


def test_three_ways_cancel():
    winds = [Reading(0, 7), Reading(120, 7), Reading(240, 7)]
    assert mean_direction(winds) is None
    assert summary(winds) == "variable"


def test_due_north():
    d = mean_direction([Reading(345, 3), Reading(15, 3)])
    assert 0 <= d < 360
    assert d == pytest.approx(0, abs=1e-4)


def test_calm():
    assert mean_direction([Reading(10, 0), Reading(200, 0)]) is None
