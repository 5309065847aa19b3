from copy import copy
from fractions import Fraction


def parse_amount(text):
    """'1 1/2' -> Fraction(3, 2)"""
    return sum((Fraction(part) for part in text.split()), Fraction(0))


def format_amount(amount):
    whole, rest = divmod(amount, 1)
    if rest == 0:
        return str(whole)
    return f"{whole} {rest}"


def make_recipe(name, serves, lines):
    """Lines look like '1 1/2 cup | flour'; the unit may be missing."""
    ingredients = []
    for line in lines:
        measure, food = (part.strip() for part in line.split("|"))
        numbers = [w for w in measure.split() if w[0].isdigit()]
        unit = " ".join(w for w in measure.split() if not w[0].isdigit())
        ingredients.append({"amount": parse_amount(" ".join(numbers)), "unit": unit, "food": food})
    return {"name": name, "serves": serves, "ingredients": ingredients}


def scaled(recipe, serves):
    """A new recipe for another number of people."""
    factor = Fraction(serves, recipe["serves"])
    result = copy(recipe)
    result["serves"] = serves
    for ingredient in result["ingredients"]:
        ingredient["amount"] *= factor
    return result


def shopping_list(recipe):
    return [
        " ".join(filter(None, [format_amount(i["amount"]), i["unit"], i["food"]]))
        for i in recipe["ingredients"]
    ]
