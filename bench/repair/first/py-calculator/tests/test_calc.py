import pytest

from calc import evaluate, tokenize


def test_tokens():
    assert tokenize(" 12+ (3.5)") == ["12", "+", "(", "3.5", ")"]


@pytest.mark.parametrize(
    "text, value",
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("-2 * -(3 - 1)", 4),
        ("10 - 4 - 3", 3),
        ("100 / 10 / 2", 5),
        ("2 * 3 * 4 + 1", 25),
    ],
)
def test_values(text, value):
    assert evaluate(text) == value


@pytest.mark.parametrize("text", ["1 +", "(1", "1 $ 2"])
def test_errors(text):
    with pytest.raises(SyntaxError):
        evaluate(text)
