from datetime import date

import pytest

from pantry import NotEnough, Pantry

JUNE = [date(2024, 6, d) for d in range(1, 31)]


@pytest.fixture
def pantry():
    p = Pantry()
    p.store("milk", 2, JUNE[9])
    p.store("eggs", 12, JUNE[19])
    p.store("milk", 3, JUNE[4])
    return p


def test_stock(pantry):
    assert pantry.stock("milk") == 5
    assert pantry.stock("salt") == 0


def test_takes_oldest_first(pantry):
    pantry.take("milk", 4)
    assert [(b.product, b.count, b.best_before.day) for b in pantry.batches] == [
        ("milk", 1, 10),
        ("eggs", 12, 20),
    ]


def test_not_enough(pantry):
    with pytest.raises(NotEnough):
        pantry.take("eggs", 13)
    assert pantry.stock("eggs") == 12


def test_purge_nothing(pantry):
    assert pantry.purge(JUNE[0]) == 0
    assert len(pantry.batches) == 3


def test_purge_one(pantry):
    assert pantry.purge(JUNE[5]) == 3
    assert pantry.stock("milk") == 2


def test_purge_all(pantry):
    assert pantry.purge(JUNE[29]) == 17
    assert pantry.batches == []
