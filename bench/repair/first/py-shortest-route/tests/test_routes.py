from math import inf

import pytest

from routes import RoadMap


def test_single_road_both_ways():
    m = RoadMap([("A", "B", 5)])
    assert m.distance("A", "B") == 5
    assert m.distance("B", "A") == 5


def test_unreachable():
    m = RoadMap([("A", "B", 5), ("C", "D", 1)])
    assert m.distance("A", "D") == inf
    assert m.route("A", "D") is None


def test_detour_is_shorter():
    m = RoadMap([("A", "C", 10), ("A", "B", 3), ("B", "C", 4)])
    assert m.distance("A", "C") == 7
    assert m.route("A", "C") == ["A", "B", "C"]


def test_direct_is_shorter():
    m = RoadMap([("A", "C", 6), ("A", "B", 3), ("B", "C", 4)])
    assert m.route("A", "C") == ["A", "C"]


def test_negative_length():
    with pytest.raises(ValueError):
        RoadMap([("A", "B", -1)])


def test_start_is_goal():
    assert RoadMap([("A", "B", 5)]).route("A", "A") == ["A"]
