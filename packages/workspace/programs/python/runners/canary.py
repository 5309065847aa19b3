"""Two tests that must fail: a pytest that was patched to pass everything is found out by them."""


def test_a_wrong_assertion_fails():
    assert 1 == 2


def test_an_error_fails():
    raise ValueError("this must be seen")
