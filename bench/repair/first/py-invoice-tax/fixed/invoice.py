import decimal
from collections import namedtuple
from decimal import Decimal

CENT = Decimal("0.01")

Line = namedtuple("Line", "name price quantity")


def to_cents(amount):
    """Round to whole cents the way shops do: half a cent goes up."""
    return amount.quantize(CENT, rounding=decimal.ROUND_HALF_UP)


def line_amount(line, bulk_from=Decimal("100"), bulk_rate=Decimal("0.10")):
    """Amount of a line; a line worth at least bulk_from gets the bulk discount."""
    amount = line.price * line.quantity
    if amount >= bulk_from:
        amount -= amount * bulk_rate
    return to_cents(amount)


def totals(lines, tax_rate):
    net = sum((line_amount(line) for line in lines), Decimal("0.00"))
    tax = to_cents(net * tax_rate)
    return {"net": net, "tax": tax, "gross": net + tax}


def render(lines, tax_rate):
    rows = [f"{l.name:<12}{l.quantity:>4} x {l.price:>8}{line_amount(l):>10}" for l in lines]
    rows.append(f"{'total':<12}{totals(lines, tax_rate)['gross']:>25}")
    return "\n".join(rows)
