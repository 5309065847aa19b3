from wrapping import justify, paragraph, wrap


def test_empty():
    assert wrap("", 10) == []


def test_one_line():
    assert wrap("hello   world", 20) == ["hello world"]


def test_breaks_between_words():
    assert wrap("aaa bbb ccc", 6) == ["aaa", "bbb", "ccc"]


def test_exact_fit():
    assert wrap("aaa bbb ccc", 7) == ["aaa bbb", "ccc"]


def test_long_word_alone():
    assert wrap("a incomprehensible b", 5) == ["a", "incomprehensible", "b"]


def test_justify_even():
    assert justify("a b c", 7) == "a  b  c"


def test_justify_extra_space_goes_left():
    assert justify("a b c", 8) == "a   b  c"


def test_single_word_is_not_padded():
    assert justify("word", 9) == "word"


def test_paragraph_last_line_is_ragged():
    assert paragraph("one two three four", 9) == "one   two\nthree\nfour"
