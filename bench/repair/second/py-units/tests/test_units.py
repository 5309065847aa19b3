import pytest

from units import UnitError, convert, table


@pytest.mark.parametrize("value, source, target, expected", [
    (5, "km", "m", 5000),
    (1, "mi", "km", 1.609344),
    (0, "C", "K", 273.15),
    (212, "F", "C", 100),
    (100, "C", "F", 212),
])
def test_convert(value, source, target, expected):
    assert convert(value, source, target) == pytest.approx(expected)


def test_unknown_unit():
    with pytest.raises(UnitError):
        convert(1, "furlong", "m")


def test_kinds_do_not_mix():
    with pytest.raises(UnitError):
        convert(1, "kg", "m")


def test_table():
    assert table([1, 2], "lb", ["kg", "g"]) == [
        {"kg": 0.45, "g": 453.59},
        {"kg": 0.91, "g": 907.18},
    ]
