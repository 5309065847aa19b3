import pytest

from units import convert, table


def test_minus_forty_is_the_same():
    assert convert(-40, "C", "F") == pytest.approx(-40)


def test_absolute_zero():
    assert convert(0, "K", "F") == pytest.approx(-459.67)


def test_reaumur():
    assert convert(80, "Re", "C") == pytest.approx(100)
    assert convert(100, "C", "Re") == pytest.approx(80)
    assert convert(32, "F", "Re") == pytest.approx(0, abs=1e-9)


def test_there_and_back():
    for unit in ("K", "C", "F", "Re"):
        assert convert(convert(21.5, "C", unit), unit, "C") == pytest.approx(21.5)


def test_feet():
    assert convert(10, "ft", "m") == pytest.approx(3.048)
    assert table([20, 37], "C", ["F"], 1) == [{"F": 68.0}, {"F": 98.6}]
