from roster import Shift, assign

CREW = {"Olga": set(), "Piet": set(), "Qi": set()}


def test_three_calls_alike():
    week = [Shift("a", 8), Shift("b", 7)]
    plans = [assign(CREW, week) for _ in range(3)]
    assert plans == [{"a": "Olga", "b": "Piet"}] * 3


def test_other_rosters_do_not_matter():
    assign({"Rosa": set()}, [Shift("x", 40)])
    assert assign({"Rosa": set(), "Sam": set()}, [Shift("y", 1)]) == {"y": "Rosa"}


def test_an_empty_dictionary_is_filled():
    hours = {}
    assign(CREW, [Shift("a", 8), Shift("b", 3)], hours)
    assert hours == {"Olga": 8, "Piet": 3}


def test_weeks_chained():
    hours = {}
    first = assign(CREW, [Shift("a", 8), Shift("b", 3)], hours)
    second = assign(CREW, [Shift("a", 8), Shift("b", 3)], hours)
    assert first == {"a": "Olga", "b": "Piet"}
    assert second == {"a": "Qi", "b": "Piet"}
    assert hours == {"Olga": 8, "Piet": 6, "Qi": 8}
