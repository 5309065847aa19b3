import pytest

from polygon import Polygon

# an L: the notch is the upper right quarter
ELL = Polygon([(0, 0), (6, 0), (6, 3), (3, 3), (3, 6), (0, 6)])
TRIANGLE = Polygon([(0, 0), (6, 0), (0, 6)])


def test_sloping_edge():
    assert TRIANGLE.contains((3, 3))
    assert TRIANGLE.contains((6, 0))
    assert not TRIANGLE.contains((4, 3))


def test_notch_edges_of_ell():
    for point in [(3, 4), (4, 3), (3, 3), (3, 6), (6, 3), (1, 6)]:
        assert ELL.contains(point), point


def test_points_in_line_with_an_edge_but_beyond_it():
    assert not ELL.contains((3, 7))
    assert not ELL.contains((7, 3))
    assert not ELL.contains((-1, 6))
    assert not ELL.contains((7, 0))


def test_notch_is_outside():
    assert not ELL.contains((4, 4))
    assert not ELL.contains((5, 5))


def test_direction_of_the_corners_does_not_matter():
    clockwise = Polygon([(0, 6), (6, 0), (0, 0)])
    assert clockwise.contains((2, 4))
    assert clockwise.contains((1, 1))
    assert not clockwise.contains((5, 5))
