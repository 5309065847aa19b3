import pytest

from spiral import roll, unroll


def test_empty():
    assert unroll([]) == []


def test_square():
    assert unroll([[1, 2], [4, 3]]) == [1, 2, 3, 4]


def test_odd_square():
    assert unroll([[1, 2, 3], [8, 9, 4], [7, 6, 5]]) == list(range(1, 10))


def test_single_row():
    assert unroll([["a", "b", "c"]]) == ["a", "b", "c"]


def test_single_column():
    assert unroll([[1], [2], [3]]) == [1, 2, 3]


def test_wide():
    assert unroll([[1, 2, 3, 4], [8, 7, 6, 5]]) == list(range(1, 9))


def test_roll():
    assert roll("abcdefghi", 3, 3) == [["a", "b", "c"], ["h", "i", "d"], ["g", "f", "e"]]


def test_roll_needs_the_right_number():
    with pytest.raises(ValueError):
        roll([1, 2, 3], 2, 2)
