import pytest

from wrapping import justify, paragraph, wrap

TEXT = "the quick brown fox jumps over the lazy dog and runs off to a den"


@pytest.mark.parametrize("width", [5, 8, 11, 16])
def test_no_line_is_too_wide_and_none_could_take_more(width):
    lines = wrap(TEXT, width)
    assert " ".join(lines) == TEXT
    assert all(len(line) <= width for line in lines)
    for here, after in zip(lines, lines[1:]):
        assert len(here) + 1 + len(after.split()[0]) > width


def test_justify_two_extra_over_three_gaps():
    assert justify("aa b cc d", 14) == "aa   b   cc  d"


def test_too_wide_line_is_left_alone():
    assert justify("abc def", 5) == "abc def"


def test_paragraph():
    assert paragraph("to be or not to be that is", 10) == "to  be  or\nnot  to be\nthat is"
