import pytest

from bowling import frame_scores, parse, score


def test_parse():
    assert parse("X 7/ 9- 12") == [10, 7, 3, 9, 0, 1, 2]


@pytest.mark.parametrize(
    "card, points",
    [
        ("-- -- -- -- -- -- -- -- -- --", 0),
        ("11 11 11 11 11 11 11 11 11 11", 20),
        ("X X X X X X X X X XXX", 300),
        ("5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/5", 150),
        ("9- 9- 9- 9- 9- 9- 9- 9- 9- 9-", 90),
        ("7/ 4- -- -- -- -- -- -- -- --", 18),
    ],
)
def test_score(card, points):
    assert score(card) == points


def test_strike_frame():
    assert frame_scores(parse("X 34 -- -- -- -- -- -- -- --"))[:2] == [17, 7]
