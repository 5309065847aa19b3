from survey import shares, totals, winner


def test_rounded_shares():
    assert shares(["a", "b", "c"]) == {"a": 33.3, "b": 33.3, "c": 33.3}


def test_same_option_many_times():
    assert shares(["Yes", "no", "yes ", "YES, 2"]) == {"yes": 80.0, "no": 20.0}


def test_lines_from_a_generator():
    lines = (text for text in ["x,1", "y,4", "# z,100"])
    assert shares(lines) == {"x": 20.0, "y": 80.0}


def test_winner_by_weight():
    assert winner(["red", "red", "blue,5"]) == "blue"
    assert winner(iter(["solo,0.5"])) == "solo"


def test_weights_of_zero():
    assert shares(["a,0", "b,0"]) == {}
    assert totals(["a,0", "b,2"]) == {"a": 0.0, "b": 2.0}
    assert shares(["a,0", "b,2"]) == {"a": 0.0, "b": 100.0}
