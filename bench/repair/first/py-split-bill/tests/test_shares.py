import pytest

from shares import format_bill, split, split_bill


def test_even():
    assert split(900, [1, 1, 1]) == [300, 300, 300]


def test_one_cent_over_goes_to_the_first():
    assert split(1000, [1, 1, 1]) == [334, 333, 333]


def test_two_cents_over():
    assert split(500, [1, 1, 1]) == [167, 167, 166]


def test_by_weight():
    assert split(1000, [3, 1]) == [750, 250]


def test_zero_weight_pays_nothing():
    assert split(100, [1, 0, 1]) == [50, 0, 50]


def test_bad_weights():
    with pytest.raises(ValueError):
        split(100, [0, 0])
    with pytest.raises(ValueError):
        split(100, [2, -1])


def test_largest_loss_first():
    assert split(100, [1, 1, 5]) == [14, 14, 72]


def test_bill():
    assert split_bill(1001, {"ann": 1, "bob": 1}) == {"ann": 501, "bob": 500}
    assert format_bill(1205, {"ann": 2, "bob": 2}) == "ann: 6.03\nbob: 6.02"
