from roster import Shift, assign


def test_hours_are_carried_when_given():
    hours = {"Ana": 10}
    assert assign({"Ana": set(), "Ben": set()}, [Shift("mon", 8)], hours) == {"mon": "Ben"}
    assert hours == {"Ana": 10, "Ben": 8}


def test_nobody_qualified():
    assert assign({"Ida": {"bar"}}, [Shift("night", 8, "kitchen")]) == {"night": None}


def test_shares_the_shifts():
    workers = {"Cleo": set(), "Dov": set()}
    shifts = [Shift("mon", 8), Shift("tue", 4), Shift("wed", 4), Shift("thu", 2)]
    assert assign(workers, shifts) == {"mon": "Cleo", "tue": "Dov", "wed": "Dov", "thu": "Cleo"}


def test_same_question_same_answer():
    workers = {"Eva": set(), "Finn": set()}
    shifts = [Shift("sat", 6)]
    assert assign(workers, shifts) == {"sat": "Eva"}
    assert assign(workers, shifts) == {"sat": "Eva"}


def test_skill_needed():
    workers = {"Gus": {"bar"}, "Hana": {"bar", "kitchen"}}
    assert assign(workers, [Shift("noon", 5, "kitchen")]) == {"noon": "Hana"}
