from survey import rows, shares, totals, winner


def test_rows():
    assert list(rows(["Tea, 2", "", "# none", "coffee  # often"])) == [("tea", 2.0), ("coffee", 1.0)]


def test_totals():
    assert totals(["tea,2", "coffee", "Tea,0.5"]) == {"tea": 2.5, "coffee": 1.0}


def test_shares():
    assert shares(["tea,3", "coffee,1"]) == {"tea": 75.0, "coffee": 25.0}


def test_shares_of_nothing():
    assert shares([]) == {}
    assert shares(["# nobody answered"]) == {}


def test_winner():
    assert winner(["bus", "train", "bus"]) == "bus"


def test_no_winner():
    assert winner([]) is None
    assert winner(["bus", "train"]) is None
