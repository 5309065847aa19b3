from datetime import date

import pytest

from members import Member, age_on, may_vote


@pytest.mark.parametrize(
    "born, day, age",
    [
        (date(1990, 6, 15), date(2020, 6, 14), 29),
        (date(1990, 12, 1), date(2020, 1, 31), 29),
        (date(1990, 6, 15), date(2020, 9, 3), 30),
        (date(2000, 2, 29), date(2018, 2, 28), 17),
        (date(2021, 8, 30), date(2021, 9, 1), 0),
    ],
)
def test_age(born, day, age):
    assert age_on(born, day) == age


def test_vote_the_day_before():
    people = [Member("x", date(2006, 11, 5)), Member("y", date(2006, 11, 6)), Member("z", date(2006, 10, 30))]
    assert may_vote(people, date(2024, 11, 5)) == ["x", "z"]


def test_senior_fee_starts_on_the_birthday():
    m = Member("old", date(1950, 7, 9))
    assert m.fee(date(2015, 6, 30)) == 50
    assert m.fee(date(2015, 7, 9)) == 30
