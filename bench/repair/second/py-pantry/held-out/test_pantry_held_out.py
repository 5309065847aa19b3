from datetime import date

from pantry import Pantry


def day(n):
    return date(2025, 3, n)


def filled(*entries):
    pantry = Pantry()
    for product, count, last in entries:
        pantry.store(product, count, day(last))
    return pantry


def test_two_in_a_row():
    pantry = filled(("ham", 1, 20), ("jam", 2, 3), ("tofu", 4, 4), ("rice", 8, 30))
    assert pantry.purge(day(10)) == 6
    assert [b.product for b in pantry.batches] == ["ham", "rice"]


def test_the_day_itself_is_still_good():
    pantry = filled(("ham", 1, 9), ("jam", 2, 10), ("tofu", 4, 9))
    assert pantry.purge(day(10)) == 5
    assert [b.product for b in pantry.batches] == ["jam"]


def test_many_old_batches():
    pantry = filled(*[("yoghurt", n, n) for n in range(1, 11)])
    assert pantry.purge(day(8)) == sum(range(1, 8))
    assert pantry.stock("yoghurt") == 8 + 9 + 10


def test_same_batches_twice():
    pantry = filled(("cream", 2, 1), ("cream", 2, 1), ("cream", 2, 1))
    assert pantry.purge(day(2)) == 6
    assert pantry.stock("cream") == 0


def test_second_purge_finds_nothing():
    pantry = filled(("a", 1, 1), ("b", 1, 2), ("c", 1, 25))
    pantry.purge(day(5))
    assert pantry.purge(day(5)) == 0
