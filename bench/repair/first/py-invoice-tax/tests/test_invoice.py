from decimal import Decimal as D

from invoice import Line, line_amount, render, to_cents, totals


def test_rounding_plain():
    assert to_cents(D("1.234")) == D("1.23")
    assert to_cents(D("1.236")) == D("1.24")


def test_half_a_cent_goes_up():
    assert to_cents(D("2.345")) == D("2.35")
    assert to_cents(D("2.355")) == D("2.36")


def test_small_line_has_no_discount():
    assert line_amount(Line("pen", D("1.20"), 3)) == D("3.60")


def test_expensive_item_is_discounted():
    assert line_amount(Line("desk", D("250.00"), 1)) == D("225.00")


def test_many_cheap_items_are_discounted():
    assert line_amount(Line("pen", D("1.50"), 100)) == D("135.00")


def test_totals():
    lines = [Line("pen", D("1.20"), 3), Line("ink", D("4.00"), 1)]
    assert totals(lines, D("0.20")) == {"net": D("7.60"), "tax": D("1.52"), "gross": D("9.12")}


def test_nothing_bought():
    assert totals([], D("0.2"))["gross"] == 0


def test_render_last_row():
    assert render([Line("pen", D("1.20"), 1)], D("0")).splitlines()[-1] == "total" + " " * 28 + "1.20"
