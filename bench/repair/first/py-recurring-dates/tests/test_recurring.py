from datetime import date

from recurring import add_months, first, monthly, rent_due, until, weekly


def test_add_months_over_the_year():
    assert add_months(date(2023, 11, 30), 2) == date(2024, 1, 30)
    assert add_months(date(2023, 12, 5), -12) == date(2022, 12, 5)


def test_add_months_to_a_short_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)


def test_weekly():
    assert first(weekly(date(2024, 2, 26)), 3) == [date(2024, 2, 26), date(2024, 3, 4), date(2024, 3, 11)]


def test_monthly_in_the_middle_of_the_month():
    assert first(monthly(date(2024, 1, 15)), 3) == [date(2024, 1, 15), date(2024, 2, 15), date(2024, 3, 15)]


def test_monthly_at_the_end_of_the_month():
    assert first(monthly(date(2023, 1, 31)), 4) == [
        date(2023, 1, 31),
        date(2023, 2, 28),
        date(2023, 3, 31),
        date(2023, 4, 30),
    ]


def test_until_includes_the_end():
    assert until(weekly(date(2024, 1, 1), 2), date(2024, 1, 15)) == [date(2024, 1, 1), date(2024, 1, 15)]


def test_rent():
    assert rent_due(date(2024, 1, 1), date(2024, 12, 31), 500) == 6000
