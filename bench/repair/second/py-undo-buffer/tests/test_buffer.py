import pytest

from buffer import TextBuffer


def test_insert_and_delete():
    b = TextBuffer("held")
    b.insert(3, "lo wor")
    assert b.text == "hello word"
    b.delete(4, 4)
    assert b.text == "hellrd"


def test_insert_out_of_range():
    with pytest.raises(IndexError):
        TextBuffer("ab").insert(3, "x")


def test_undo_all():
    b = TextBuffer("one two")
    b.replace("two", "three")
    b.delete(0, 4)
    assert b.undo() and b.undo()
    assert b.text == "one two"
    assert b.undo() is False


def test_redo():
    b = TextBuffer("cat")
    b.replace("c", "b")
    b.insert(3, "s")
    b.undo()
    b.undo()
    assert b.redo() and b.redo()
    assert b.text == "bats"
    assert b.redo() is False


def test_new_edit_drops_redo():
    b = TextBuffer()
    b.insert(0, "first")
    b.undo()
    b.insert(0, "second")
    assert b.redo() is False
    assert b.text == "second"
