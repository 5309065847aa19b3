import pytest

from shares import format_bill, split


@pytest.mark.parametrize("weights", [[1] * 7, [1, 2, 3], [5, 1, 1, 9], [0, 3, 3, 1], [11]])
def test_always_adds_up(weights):
    total = sum(weights)
    for cents in range(0, 60):
        shares = split(cents, weights)
        assert sum(shares) == cents
        for share, w in zip(shares, weights):
            assert abs(share - cents * w / total) < 1


def test_remainder_order_is_by_loss_not_by_position():
    # exact shares 1.4, 2.8, 2.8
    assert split(7, [1, 2, 2]) == [1, 3, 3]
    # exact shares 1.75, 3.5, 1.75
    assert split(7, [1, 2, 1]) == [2, 3, 2]


def test_tie_goes_to_the_earlier():
    assert split(2, [1, 1, 1, 1]) == [1, 1, 0, 0]


def test_format():
    assert format_bill(10, {"a": 1, "b": 1, "c": 1, "d": 1}) == "a: 0.03\nb: 0.03\nc: 0.02\nd: 0.02"
