from buffer import TextBuffer


def test_delete_drops_redo():
    b = TextBuffer("abcdef")
    b.delete(0, 2)
    b.undo()
    b.delete(4, 2)
    assert b.redo() is False
    assert b.text == "abcd"


def test_replace_drops_redo():
    b = TextBuffer("tea")
    b.insert(3, "m")
    b.undo()
    assert b.replace("tea", "coffee")
    assert not b.redo()
    assert b.text == "coffee"


def test_vain_edits_keep_redo():
    b = TextBuffer("abc")
    b.insert(3, "d")
    b.undo()
    assert b.replace("x", "y") is False
    b.delete(3, 5)
    assert b.redo() is True
    assert b.text == "abcd"


def test_several_undone_then_edit():
    b = TextBuffer()
    for ch in "wxyz":
        b.insert(len(b.text), ch)
    b.undo()
    b.undo()
    b.insert(2, "!")
    assert b.text == "wx!"
    assert b.redo() is False
    b.undo()
    assert b.text == "wx"
    assert b.redo() is True
    assert b.text == "wx!"


def test_undo_redo_back_and_forth():
    b = TextBuffer("k")
    b.insert(1, "ey")
    for _ in range(3):
        assert b.undo() and b.text == "k"
        assert b.redo() and b.text == "key"
