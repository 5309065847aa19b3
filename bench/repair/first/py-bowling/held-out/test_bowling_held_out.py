import pytest

from bowling import frame_scores, parse, score


@pytest.mark.parametrize(
    "card, points",
    [
        ("X 7/ 9- X -8 8/ -6 X X X81", 167),
        ("-- -- -- -- -- -- -- -- -- 3/X", 20),
        ("-/ 72 -- -- -- -- -- -- -- --", 26),
        ("X 9/ X 9/ X 9/ X 9/ X 9/X", 200),
    ],
)
def test_score(card, points):
    assert score(card) == points


def test_frames():
    card = "8/ 54 9- X X 5/ 53 63 9/ 9/X"
    assert frame_scores(parse(card)) == [15, 9, 9, 25, 20, 15, 8, 9, 19, 20]


def test_ten_over_two_frames_is_no_spare():
    assert score("14 63 -- -- -- -- -- -- -- --") == 14
    assert score("46 19 -- -- -- -- -- -- -- --") == 21
