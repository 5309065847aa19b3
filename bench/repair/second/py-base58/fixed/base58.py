ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_VALUES = {ch: value for value, ch in enumerate(ALPHABET)}


def encode(data: bytes) -> str:
    """Base58 text of the bytes; a leading zero byte becomes a leading '1'."""
    number = int.from_bytes(data, "big")
    out = []
    while number:
        number, rest = divmod(number, 58)
        out.append(ALPHABET[rest])
    zeros = len(data) - len(data.lstrip(b"\0"))
    return ALPHABET[0] * zeros + "".join(reversed(out))


def decode(text: str) -> bytes:
    number = 0
    for ch in text:
        if ch not in _VALUES:
            raise ValueError(f"not a base58 character: {ch!r}")
        number = number * 58 + _VALUES[ch]
    size = (number.bit_length() + 7) // 8
    zeros = len(text) - len(text.lstrip(ALPHABET[0]))
    return bytes(zeros) + number.to_bytes(size, "big")
