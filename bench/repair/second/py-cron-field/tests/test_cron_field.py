import pytest

from cron_field import matches, parse_field


@pytest.mark.parametrize("text, field, expected", [
    ("*/15", "minute", [0, 15, 30, 45]),
    ("7", "hour", [7]),
    ("1-5", "weekday", [1, 2, 3, 4, 5]),
    ("3,1,3", "month", [1, 3]),
    ("*/10", "day", [1, 11, 21, 31]),
    ("5-20/5", "minute", [5, 10, 15, 20]),
])
def test_parse_field(text, field, expected):
    assert parse_field(text, field) == expected


@pytest.mark.parametrize("bad", ["60", "9-3", "*/0"])
def test_bad_minutes(bad):
    with pytest.raises(ValueError):
        parse_field(bad, "minute")


def test_matches():
    assert matches("30 6 * * 1-5", minute=30, hour=6, day=9, month=2, weekday=3)
    assert not matches("30 6 * * 1-5", minute=30, hour=6, day=9, month=2, weekday=0)
