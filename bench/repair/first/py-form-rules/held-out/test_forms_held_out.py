from forms import build_form, length, matches, required


def test_three_fields_each_with_its_own_rule():
    form = build_form(a=[length(1, 2)], b=[length(3, 4)], c=[length(5, 6)])
    assert form({"a": "xxx", "b": "xxx", "c": "xxx"}) == {
        "a": "must have 1 to 2 characters",
        "c": "must have 5 to 6 characters",
    }


def test_first_message_wins():
    form = build_form(pin=[required, length(4, 4), matches(r"\d+", "digits only")], note=[length(0, 5)])
    assert form({"pin": ""}) == {"pin": "is required"}
    assert form({"pin": "abc"}) == {"pin": "must have 4 to 4 characters"}
    assert form({"pin": "abcd", "note": "too long"}) == {
        "pin": "digits only",
        "note": "must have 0 to 5 characters",
    }


def test_optional_last_field_does_not_hide_required_first():
    form = build_form(name=[required], nick=[])
    assert form({"nick": "z"}) == {"name": "is required"}


def test_forms_are_independent():
    one = build_form(x=[required], y=[])
    two = build_form(x=[], y=[required])
    assert one({}) == {"x": "is required"}
    assert two({}) == {"y": "is required"}


def test_all_fine():
    assert build_form(x=[required], y=[required])({"x": "1", "y": "2"}) == {}
