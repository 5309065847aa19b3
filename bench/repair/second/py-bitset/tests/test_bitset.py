import pytest

from bitset import BitSet


def test_iterates_in_order():
    assert list(BitSet([9, 2, 5, 2])) == [2, 5, 9]


def test_membership():
    s = BitSet([0, 64])
    assert 0 in s
    assert 64 in s
    assert 1 not in s
    assert -1 not in s


def test_rejects_negative():
    with pytest.raises(ValueError):
        BitSet([-3])


def test_discard_present():
    s = BitSet([1, 2, 3])
    s.discard(2)
    assert list(s) == [1, 3]


def test_discard_absent_changes_nothing():
    s = BitSet([1, 3])
    s.discard(2)
    assert list(s) == [1, 3]
    assert len(s) == 2


def test_set_operations():
    a, b = BitSet([1, 2, 3]), BitSet([3, 4])
    assert a | b == BitSet([1, 2, 3, 4])
    assert a & b == BitSet([3])
    assert a - b == BitSet([1, 2])
