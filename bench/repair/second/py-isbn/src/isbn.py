def _clean(text):
    return text.replace("-", "").replace(" ", "").upper()


def is_isbn10(text):
    digits = _clean(text)
    if len(digits) != 10:
        return False
    total = 0
    for place, ch in enumerate(digits):
        if ch == "X":
            value = 10
        elif ch in "0123456789":
            value = int(ch)
        else:
            return False
        total += (10 - place) * value
    return total % 11 == 0


def is_isbn13(text):
    digits = _clean(text)
    if len(digits) != 13 or not digits.isdigit():
        return False
    if digits[:3] not in ("978", "979"):
        return False
    total = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(digits))
    return total % 10 == 0


def is_isbn(text):
    return is_isbn10(text) or is_isbn13(text)


def to_isbn13(text):
    """The 13-digit form of a valid ISBN-10."""
    if not is_isbn10(text):
        raise ValueError(f"not an ISBN-10: {text!r}")
    body = "978" + _clean(text)[:9]
    total = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(body))
    return body + str(-total % 10)
