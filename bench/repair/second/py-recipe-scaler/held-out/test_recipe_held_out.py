from fractions import Fraction

from recipe import format_amount, make_recipe, scaled, shopping_list


def soup():
    return make_recipe("Soup", 2, ["1/4 tsp | salt", "1 l | water", "3 | carrots"])


def test_small_amounts():
    assert [format_amount(Fraction(n, 8)) for n in (1, 3, 7, 8, 9)] == ["1/8", "3/8", "7/8", "1", "1 1/8"]


def test_nothing_at_all():
    assert format_amount(Fraction(0)) == "0"


def test_halved():
    assert shopping_list(scaled(soup(), 1)) == ["1/8 tsp salt", "1/2 l water", "1 1/2 carrots"]


def test_two_scalings_of_one_recipe():
    recipe = soup()
    four, six = scaled(recipe, 4), scaled(recipe, 6)
    assert four["ingredients"][2]["amount"] == 6
    assert six["ingredients"][2]["amount"] == 9
    assert four["serves"] == 4
    assert six["serves"] == 6


def test_changing_the_copy_keeps_the_original():
    recipe = soup()
    other = scaled(recipe, 2)
    other["ingredients"].append({"amount": Fraction(1), "unit": "", "food": "leek"})
    other["ingredients"][0]["food"] = "pepper"
    assert [i["food"] for i in recipe["ingredients"]] == ["salt", "water", "carrots"]


def test_name_is_kept():
    assert scaled(soup(), 10)["name"] == "Soup"
