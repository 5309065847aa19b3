from decimal import Decimal as D

import pytest

from invoice import Line, line_amount, to_cents, totals


@pytest.mark.parametrize("raw, want", [("0.005", "0.01"), ("0.125", "0.13"), ("7.0049", "7.00"), ("9.995", "10.00")])
def test_to_cents(raw, want):
    assert to_cents(D(raw)) == D(want)


def test_bulk_limit_is_inclusive():
    assert line_amount(Line("box", D("25"), 4)) == D("90.00")
    assert line_amount(Line("box", D("33.33"), 3)) == D("99.99")


def test_own_bulk_terms():
    assert line_amount(Line("nut", D("0.5"), 24), D("12"), D("0.5")) == D("6.00")


def test_part_of_an_expensive_unit_is_not_bulk():
    assert line_amount(Line("cable drum", D("120"), D("0.5"))) == D("60.00")


def test_tax_is_rounded_up_on_half():
    assert totals([Line("gum", D("0.50"), 1)], D("0.05")) == {"net": D("0.50"), "tax": D("0.03"), "gross": D("0.53")}
