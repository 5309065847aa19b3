import pytest

from forms import build_form, length, matches, required


@pytest.fixture
def signup():
    return build_form(
        user=[required, length(3, 8)],
        zip=[matches(r"\d{5}", "must be five digits")],
    )


def test_rules_alone():
    assert required("") == "is required"
    assert required("x") is None
    assert length(2, 3)("abcd") == "must have 2 to 3 characters"


def test_good_data(signup):
    assert signup({"user": "maria", "zip": "12345"}) == {}


def test_bad_zip(signup):
    assert signup({"user": "maria", "zip": "12a45"}) == {"zip": "must be five digits"}


def test_missing_user(signup):
    assert signup({"zip": "12345"}) == {"user": "is required"}


def test_both_wrong(signup):
    assert signup({"user": "jo", "zip": "1"}) == {
        "user": "must have 3 to 8 characters",
        "zip": "must be five digits",
    }


def test_form_with_one_field():
    assert build_form(a=[required])({}) == {"a": "is required"}


def test_empty_form():
    assert build_form()({"a": 1}) == {}
