import pytest

from transpose import major_scale, parse, transpose, transpose_all


def test_parse():
    assert parse("Eb4") == (3, 4)
    assert parse("F#-1") == (6, -1)


@pytest.mark.parametrize("bad", ["H4", "C", "C#b4", "c4"])
def test_bad_notes(bad):
    with pytest.raises(ValueError):
        parse(bad)


def test_within_the_octave():
    assert transpose_all(["C4", "E4", "G4"], 2) == ["D4", "F#4", "A4"]


def test_flat_names():
    assert transpose("C3", 3, flats=True) == "Eb3"


def test_scale_of_c():
    assert major_scale("C4") == ["C4", "D4", "E4", "F4", "G4", "A4", "B4", "C5"]


def test_up_over_the_octave():
    assert transpose("A4", 5) == "D5"
