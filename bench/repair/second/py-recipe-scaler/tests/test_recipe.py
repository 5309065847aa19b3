from fractions import Fraction

import pytest

from recipe import format_amount, make_recipe, parse_amount, scaled, shopping_list


@pytest.fixture
def pancakes():
    return make_recipe("Pancakes", 4, ["1 1/2 cup | flour", "2 | eggs", "3 cup | milk"])


@pytest.mark.parametrize("text, amount", [("2", 2), ("3/4", Fraction(3, 4)), ("1 1/2", Fraction(3, 2))])
def test_parse_amount(text, amount):
    assert parse_amount(text) == amount


def test_format_amount():
    assert format_amount(Fraction(5, 2)) == "2 1/2"
    assert format_amount(Fraction(4)) == "4"


def test_format_less_than_one():
    assert format_amount(Fraction(1, 2)) == "1/2"


def test_shopping_list(pancakes):
    assert shopping_list(pancakes) == ["1 1/2 cup flour", "2 eggs", "3 cup milk"]


def test_doubled(pancakes):
    assert shopping_list(scaled(pancakes, 8)) == ["3 cup flour", "4 eggs", "6 cup milk"]


def test_original_is_left_alone(pancakes):
    scaled(pancakes, 12)
    assert pancakes["serves"] == 4
    assert shopping_list(pancakes) == ["1 1/2 cup flour", "2 eggs", "3 cup milk"]
