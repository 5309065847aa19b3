import pytest

from calc import evaluate


@pytest.mark.parametrize(
    "text, value",
    [
        ("1 - 2 + 3", 2),
        ("8 / 4 * 2", 4),
        ("20 - 2 * 3 - 4 / 2 - 1", 11),
        ("10 - (4 - 3)", 9),
        ("7 - 1 - 1 - 1 - 1 + 0.5", 3.5),
        ("64 / 2 / (8 / 2) / 2 - -1", 5),
    ],
)
def test_values(text, value):
    assert evaluate(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["1 2", "3 - * 2"])
def test_errors(text):
    with pytest.raises(SyntaxError):
        evaluate(text)
