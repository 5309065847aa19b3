import pytest

from transpose import major_scale, transpose, transpose_all


def test_down_under_the_octave():
    assert transpose("C4", -1) == "B3"
    assert transpose("D0", -3) == "B-1"


def test_several_octaves():
    assert transpose("C4", 24) == "C6"
    assert transpose("G5", -36) == "G2"
    assert transpose("A4", 27) == "C7"


def test_spellings_over_the_edge():
    assert transpose("Cb4", 0) == "B3"
    assert transpose("B#4", 0) == "C5"
    assert transpose("B#4", -1) == "B4"


def test_scale_with_flats():
    assert major_scale("Bb3", flats=True) == [
        "Bb3", "C4", "D4", "Eb4", "F4", "G4", "A4", "Bb4",
    ]


def test_there_and_back():
    tune = ["G4", "B4", "D5", "F#5"]
    assert transpose_all(transpose_all(tune, 9), -9) == tune


@pytest.mark.parametrize("note", ["C4", "B4", "F#2"])
def test_nothing_to_do(note):
    assert transpose(note, 0) == note
