import pytest

from base58 import decode, encode


@pytest.mark.parametrize("data", [
    b"\x00",
    b"\x00\x00\x00\x00",
    b"\x00\x00\x01\x00",
    b"\xff\x00\x00",
])
def test_round_trip(data):
    assert decode(encode(data)) == data


def test_only_zeros():
    assert encode(bytes(3)) == "111"
    assert decode("1") == b"\x00"


def test_inner_ones_are_digits():
    assert decode("211") == (58 * 58).to_bytes(2, "big")
    assert encode((58 * 58).to_bytes(2, "big")) == "211"


def test_longer_prefix():
    assert encode(bytes(5) + b"\x39") == "11111z"
    assert decode("11111z") == bytes(5) + b"\x39"
