from datetime import date

from recurrence import first_due, next_due


def test_thirtieth_skips_over_february():
    days = [d.day for d in first_due(date(2023, 12, 30), 5)]
    assert days == [30, 30, 29, 30, 30]


def test_start_at_end_of_february_stays_on_its_day():
    assert first_due(date(2023, 2, 28), 3) == [date(2023, 2, 28), date(2023, 3, 28), date(2023, 4, 28)]


def test_leap_day_yearly():
    assert first_due(date(2020, 2, 29), 5, every=12) == [
        date(2020, 2, 29),
        date(2021, 2, 28),
        date(2022, 2, 28),
        date(2023, 2, 28),
        date(2024, 2, 29),
    ]


def test_every_third_month():
    assert first_due(date(2024, 8, 31), 4, every=3) == [
        date(2024, 8, 31),
        date(2024, 11, 30),
        date(2025, 2, 28),
        date(2025, 5, 31),
    ]


def test_next_due_long_after():
    assert next_due(date(2022, 1, 31), date(2025, 7, 1)) == date(2025, 7, 31)


def test_next_due_is_the_start():
    assert next_due(date(2022, 1, 31), date(2020, 1, 1)) == date(2022, 1, 31)
