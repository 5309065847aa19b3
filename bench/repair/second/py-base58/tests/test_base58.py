import pytest

from base58 import decode, encode


def test_known_text():
    assert encode(b"Hello World!") == "2NEpo7TZRRrLZSi2U"
    assert decode("2NEpo7TZRRrLZSi2U") == b"Hello World!"


def test_empty():
    assert encode(b"") == ""
    assert decode("") == b""


@pytest.mark.parametrize("bad", ["0", "O", "I", "l", "ab c"])
def test_bad_character(bad):
    with pytest.raises(ValueError):
        decode(bad)


def test_one_leading_zero():
    assert encode(b"\x00a") == "12g"


def test_zeros_come_back():
    assert decode("112g") == b"\x00\x00a"
