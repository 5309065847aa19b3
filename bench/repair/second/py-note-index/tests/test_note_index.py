import pytest

from note_index import NoteIndex


@pytest.fixture
def index():
    index = NoteIndex()
    index.add(1, "Buy milk and bread")
    index.add(2, "Milk the goat, then milk the cow")
    index.add(3, "Bread recipe")
    return index


def test_one_word(index):
    assert index.search("bread") == [1, 3]


def test_more_hits_come_first(index):
    assert index.search("MILK") == [2, 1]


def test_all_words_needed(index):
    assert index.search("milk bread") == [1]


def test_unknown_word_among_known(index):
    assert index.search("milk zebra") == []


def test_empty_query(index):
    assert index.search("  ?") == []


def test_removed_note_is_gone(index):
    index.remove(3)
    assert index.search("bread") == [1]
    assert "recipe" not in index.vocabulary()


def test_replacing_a_note(index):
    index.add(1, "Call the dentist")
    assert index.search("dentist") == [1]
    assert index.search("bread") == [3]
