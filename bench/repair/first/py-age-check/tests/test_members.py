from datetime import date

from members import Member, age_on, may_vote, season_income


def test_before_and_after_the_birthday():
    born = date(1990, 6, 15)
    assert age_on(born, date(2020, 5, 10)) == 29
    assert age_on(born, date(2020, 7, 20)) == 30


def test_on_the_birthday():
    assert age_on(date(1990, 6, 15), date(2020, 6, 15)) == 30


def test_earlier_month_but_later_day():
    assert age_on(date(1990, 6, 15), date(2020, 5, 28)) == 29


def test_leap_day():
    assert age_on(date(2000, 2, 29), date(2018, 3, 1)) == 18


def test_fees():
    day = date(2024, 12, 31)
    people = [Member("kid", date(2020, 1, 1)), Member("teen", date(2010, 1, 1)), Member("adult", date(1980, 1, 1))]
    assert [m.fee(day) for m in people] == [0, 20, 50]
    assert season_income(people, day) == 70


def test_voters():
    people = [Member("a", date(2000, 3, 3)), Member("b", date(2015, 3, 3))]
    assert may_vote(people, date(2024, 4, 4)) == ["a"]
