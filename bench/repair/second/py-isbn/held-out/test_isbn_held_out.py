import pytest

from isbn import is_isbn, is_isbn10, to_isbn13


def test_all_x():
    assert not is_isbn10("XXXXXXXXXX")


def test_x_first():
    assert not is_isbn10("X000000018")


def test_x_next_to_last():
    assert not is_isbn("00000000X2")


def test_x_last_still_counts_ten():
    assert is_isbn10("0-9752298-0-X")
    assert to_isbn13("0-9752298-0-X").startswith("978097522980")


def test_conversion_refuses_misplaced_x():
    with pytest.raises(ValueError):
        to_isbn13("000X000007")


def test_wrong_length():
    assert not is_isbn10("030640615")
    assert not is_isbn10("")
