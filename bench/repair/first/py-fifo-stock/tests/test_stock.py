import pytest

from stock import Shelf, Shortage, profit


def shelf_with(*lots):
    shelf = Shelf()
    for quantity, cost in lots:
        shelf.receive(quantity, cost)
    return shelf


def test_on_hand_and_value():
    shelf = shelf_with((10, 2), (5, 3))
    assert shelf.on_hand == 15
    assert shelf.value == 35


def test_take_from_first_lot():
    shelf = shelf_with((10, 2), (5, 3))
    assert shelf.take(4) == 8
    assert shelf.on_hand == 11


def test_take_over_two_lots():
    shelf = shelf_with((10, 2), (5, 3))
    assert shelf.take(12) == 26
    assert [lot.quantity for lot in shelf.lots] == [3]


def test_take_over_three_lots():
    shelf = shelf_with((1, 10), (1, 20), (5, 30))
    assert shelf.take(3) == 60
    assert shelf.on_hand == 4


def test_shortage_changes_nothing():
    shelf = shelf_with((2, 7))
    with pytest.raises(Shortage, match="^1 missing"):
        shelf.take(3)
    assert shelf.on_hand == 2


def test_receive_nothing():
    with pytest.raises(ValueError):
        Shelf().receive(0, 5)


def test_profit():
    assert profit(shelf_with((4, 5)), [(1, 8), (2, 9)]) == 11
