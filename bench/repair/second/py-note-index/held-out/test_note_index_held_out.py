from note_index import NoteIndex


def build(**notes):
    index = NoteIndex()
    for note_id, text in notes.items():
        index.add(note_id, text)
    return index


def test_adding_twice_does_not_raise_the_score():
    index = build(a="red red", b="red red red")
    index.add("a", "red red")
    assert index.search("red") == ["b", "a"]


def test_replacing_cleans_the_vocabulary():
    index = build(a="old words here")
    index.add("a", "new words")
    assert index.vocabulary() == ["new", "words"]


def test_replaced_then_removed():
    index = build(a="first draft", b="first steps")
    index.add("a", "second draft")
    index.remove("a")
    assert index.search("first") == ["b"]
    assert index.search("draft") == []
    assert index.vocabulary() == ["first", "steps"]


def test_unknown_word_in_any_place():
    index = build(a="sun moon", b="sun")
    assert index.search("comet sun") == []
    assert index.search("sun comet moon") == []
    assert index.search("comet") == []


def test_known_words_still_combine():
    index = build(a="sun moon", b="sun", c="moon sun sun")
    assert index.search("moon sun") == ["c", "a"]


def test_searching_does_not_grow_the_vocabulary():
    index = build(a="sun")
    index.search("pluto")
    assert index.vocabulary() == ["sun"]
