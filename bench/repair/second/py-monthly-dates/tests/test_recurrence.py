from datetime import date

import pytest

from recurrence import add_months, first_due, next_due


def test_add_months():
    assert add_months(date(2023, 11, 15), 3) == date(2024, 2, 15)
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)


def test_middle_of_the_month():
    assert first_due(date(2024, 11, 10), 3) == [date(2024, 11, 10), date(2024, 12, 10), date(2025, 1, 10)]


def test_quarterly():
    assert first_due(date(2024, 1, 5), 3, every=3) == [date(2024, 1, 5), date(2024, 4, 5), date(2024, 7, 5)]


def test_last_of_the_month():
    assert first_due(date(2023, 1, 31), 4) == [
        date(2023, 1, 31),
        date(2023, 2, 28),
        date(2023, 3, 31),
        date(2023, 4, 30),
    ]


def test_next_due():
    assert next_due(date(2024, 1, 20), date(2024, 3, 21)) == date(2024, 4, 20)
    assert next_due(date(2024, 1, 20), date(2024, 3, 20)) == date(2024, 3, 20)


def test_bad_step():
    with pytest.raises(ValueError):
        first_due(date(2024, 1, 1), 2, every=0)
