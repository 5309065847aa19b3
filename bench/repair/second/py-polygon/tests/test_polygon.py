import pytest

from polygon import Polygon

SQUARE = Polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
TRIANGLE = Polygon([(0, 0), (6, 0), (0, 6)])


def test_area():
    assert SQUARE.area() == 16
    assert TRIANGLE.area() == 18


def test_perimeter():
    assert SQUARE.perimeter() == 16


def test_too_few_corners():
    with pytest.raises(ValueError):
        Polygon([(0, 0), (1, 1)])


@pytest.mark.parametrize("point", [(2, 2), (1, 3), (0, 2), (4, 2), (2, 4), (4, 4)])
def test_inside_or_on_the_square(point):
    assert SQUARE.contains(point) is True


def test_outside():
    assert SQUARE.contains((5, 2)) is False
