import pytest

from wind import Reading, compass_point, mean_direction, mean_speed, summary


def test_compass_points():
    assert [compass_point(d) for d in (0, 44, 100, 225, 350)] == ["N", "NE", "E", "SW", "N"]


def test_mean_speed():
    assert mean_speed([Reading(0, 4), Reading(90, 8)]) == 6
    assert mean_speed([]) == 0


def test_no_readings():
    assert mean_direction([]) is None
    assert summary([]) == "variable"


def test_steady_wind():
    assert mean_direction([Reading(200, 3), Reading(200, 9)]) == pytest.approx(200)


def test_east_and_south():
    assert mean_direction([Reading(90, 5), Reading(180, 5)]) == pytest.approx(135)


def test_around_north():
    assert summary([Reading(350, 5), Reading(30, 5)]) == "N 5.0"


def test_opposite_winds_cancel():
    assert mean_direction([Reading(90, 6), Reading(270, 6)]) is None
