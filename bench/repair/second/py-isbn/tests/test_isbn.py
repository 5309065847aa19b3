import pytest

from isbn import is_isbn, is_isbn10, is_isbn13, to_isbn13


@pytest.mark.parametrize("text", ["0-306-40615-2", "0 8044 2957 X", "080442957x"])
def test_valid_isbn10(text):
    assert is_isbn10(text)


def test_wrong_check_digit():
    assert not is_isbn10("0-306-40615-3")
    assert not is_isbn10("0-306-40615-X")


def test_x_in_the_middle():
    assert not is_isbn10("0X00000009")


def test_isbn13():
    assert is_isbn13("978-0-306-40615-7")
    assert not is_isbn13("978-0-306-40615-8")
    assert not is_isbn13("123-0-306-40615-7")


def test_either_form():
    assert is_isbn("0306406152")
    assert is_isbn("9780306406157")
    assert not is_isbn("hello")


def test_conversion():
    assert to_isbn13("0-306-40615-2") == "9780306406157"
