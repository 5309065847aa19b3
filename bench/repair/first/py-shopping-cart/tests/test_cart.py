import pytest

from cart import Cart, OutOfStock, cheapest_swap

PRICES = {"tea": 4, "jam": 3, "oat": 2}


def stock():
    return {"tea": 5, "jam": 2, "oat": 9}


def test_total():
    assert Cart(stock()).add("tea", 2).add("oat").total(PRICES) == 10


def test_cannot_take_more_than_there_is():
    cart = Cart(stock()).add("jam", 2)
    with pytest.raises(OutOfStock):
        cart.add("jam")
    assert cart.quantities == {"jam": 2}


def test_new_carts_are_empty():
    Cart(stock()).add("tea")
    assert Cart(stock()).quantities == {}


def test_remove_last_piece():
    assert Cart(stock()).add("tea").remove("tea").quantities == {}


def test_checkout():
    shelf = stock()
    cart = Cart(shelf).add("oat", 4)
    assert cart.checkout() == {"oat": 4}
    assert shelf["oat"] == 5
    assert cart.quantities == {}


def test_swap_does_not_touch_the_cart():
    cart = Cart(stock()).add("tea", 2)
    assert cheapest_swap(cart, "tea", ["jam", "oat"], PRICES) == 6
    assert cart.quantities == {"tea": 2}
