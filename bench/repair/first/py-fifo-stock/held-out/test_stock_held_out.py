import pytest

from stock import Shelf, Shortage, profit


def shelf_with(*lots):
    shelf = Shelf()
    for quantity, cost in lots:
        shelf.receive(quantity, cost)
    return shelf


def test_take_everything():
    shelf = shelf_with((2, 1), (2, 2), (2, 3), (2, 4))
    assert shelf.take(8) == 20
    assert shelf.lots == []


def test_exactly_one_lot():
    shelf = shelf_with((3, 5), (3, 6))
    assert shelf.take(3) == 15
    assert [(lot.quantity, lot.unit_cost) for lot in shelf.lots] == [(3, 6)]


def test_equal_lots():
    shelf = shelf_with((2, 5), (3, 9), (2, 5))
    assert shelf.take(6) == 10 + 27 + 5
    assert [(lot.quantity, lot.unit_cost) for lot in shelf.lots] == [(1, 5)]


def test_shortage_over_several_lots():
    shelf = shelf_with((2, 1), (3, 2), (4, 3))
    with pytest.raises(Shortage, match="^2 missing"):
        shelf.take(11)
    assert shelf.on_hand == 9
    assert shelf.value == 20
    assert shelf.take(9) == 20


def test_profit_over_lots():
    assert profit(shelf_with((1, 1), (1, 2), (1, 3), (1, 4)), [(3, 10), (1, 10)]) == 30


def test_take_from_empty():
    with pytest.raises(Shortage):
        Shelf().take(1)
