import pytest

from cron_field import matches, parse_field


@pytest.mark.parametrize("text, field, expected", [
    ("3-20/5", "minute", [3, 8, 13, 18]),
    ("*/5", "month", [1, 6, 11]),
    ("2/7", "day", [2, 9, 16, 23, 30]),
    ("1-5/2,0", "weekday", [0, 1, 3, 5]),
    ("10-12/9", "hour", [10]),
    ("*/6", "hour", [0, 6, 12, 18]),
])
def test_steps(text, field, expected):
    assert parse_field(text, field) == expected


def test_matches_with_steps():
    assert matches("1-59/2 * */2 * *", minute=21, hour=0, day=15, month=6, weekday=2)
    assert not matches("1-59/2 * */2 * *", minute=20, hour=0, day=15, month=6, weekday=2)
