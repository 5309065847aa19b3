from cart import Cart, cheapest_swap


def test_copy_is_independent():
    cart = Cart({"a": 10, "b": 10}).add("a", 3)
    other = cart.copy()
    other.add("b", 2).remove("a")
    assert cart.quantities == {"a": 3}
    assert other.quantities == {"a": 2, "b": 2}


def test_original_may_change_too():
    cart = Cart({"a": 10}).add("a")
    other = cart.copy()
    cart.add("a", 4)
    assert other.quantities == {"a": 1}


def test_copies_share_the_stock():
    shelf = {"a": 3}
    cart = Cart(shelf).add("a", 2)
    other = cart.copy()
    assert cart.checkout() == {"a": 2}
    assert shelf == {"a": 1}
    assert other.stock is shelf
    assert other.quantities == {"a": 2}


def test_several_options_one_out_of_stock():
    cart = Cart({"x": 4, "y": 1, "z": 0, "w": 5}).add("x", 2).add("y", 1)
    prices = {"x": 10, "y": 1, "z": 2, "w": 7}
    assert cheapest_swap(cart, "x", ["y", "z", "w"], prices) == 18
    assert cheapest_swap(cart, "x", ["z"], prices) is None
    assert cart.total(prices) == 21


def test_given_quantities_are_used():
    assert Cart({"a": 5}, {"a": 2}).add("a").quantities == {"a": 3}
