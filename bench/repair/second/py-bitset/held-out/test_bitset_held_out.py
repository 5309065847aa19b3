from bitset import BitSet


def test_discard_twice():
    s = BitSet([7, 70])
    s.discard(70)
    s.discard(70)
    assert 70 not in s
    assert list(s) == [7]


def test_discard_from_empty():
    s = BitSet()
    s.discard(0)
    assert len(s) == 0
    assert list(s) == []


def test_discard_keeps_higher_and_lower_members():
    s = BitSet(range(8))
    s.discard(4)
    assert list(s) == [0, 1, 2, 3, 5, 6, 7]


def test_add_after_discard():
    s = BitSet([3])
    s.discard(3)
    s.add(3)
    assert list(s) == [3]


def test_discard_negative_is_ignored():
    s = BitSet([5])
    s.discard(-1)
    assert list(s) == [5]
