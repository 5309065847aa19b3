import re

STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
SHARPS = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
FLATS = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]

_NOTE = re.compile(r"([A-G])(#{0,2}|b{0,2})(-?\d+)")


def parse(note):
    """Split 'Eb4' into semitones above C and the octave: (3, 4)."""
    match = _NOTE.fullmatch(note)
    if match is None:
        raise ValueError(f"not a note: {note!r}")
    letter, accidental, octave = match.groups()
    alter = accidental.count("#") - accidental.count("b")
    return STEPS[letter] + alter, int(octave)


def transpose(note, semitones, flats=False):
    step, octave = parse(note)
    position = (step + semitones) % 12
    names = FLATS if flats else SHARPS
    return f"{names[position]}{octave}"


def transpose_all(notes, semitones, flats=False):
    return [transpose(note, semitones, flats) for note in notes]


def major_scale(root, flats=False):
    return transpose_each(root, [0, 2, 4, 5, 7, 9, 11, 12], flats)


def transpose_each(root, distances, flats=False):
    return [transpose(root, distance, flats) for distance in distances]
