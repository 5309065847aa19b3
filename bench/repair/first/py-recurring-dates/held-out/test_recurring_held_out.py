from datetime import date

from recurring import first, monthly, rent_due, until


def test_quarterly_from_the_31st():
    assert first(monthly(date(2023, 8, 31), 3), 4) == [
        date(2023, 8, 31),
        date(2023, 11, 30),
        date(2024, 2, 29),
        date(2024, 5, 31),
    ]


def test_day_30_passes_february():
    days = first(monthly(date(2022, 12, 30)), 5)
    assert [d.day for d in days] == [30, 30, 28, 30, 30]


def test_start_on_a_short_months_end_is_no_month_end_rule():
    assert [d.day for d in first(monthly(date(2023, 2, 28)), 3)] == [28, 28, 28]


def test_leap_day_yearly():
    days = first(monthly(date(2020, 2, 29), 12), 5)
    assert [(d.year, d.day) for d in days] == [(2020, 29), (2021, 28), (2022, 28), (2023, 28), (2024, 29)]


def test_last_rent_is_not_due_yet():
    assert rent_due(date(2023, 1, 31), date(2023, 5, 30), 100) == 400
    assert len(until(monthly(date(2023, 1, 31)), date(2023, 5, 31))) == 5
