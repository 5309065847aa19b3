from routes import RoadMap

CHAIN = [("a", "e", 20), ("a", "d", 14), ("a", "c", 9), ("a", "b", 2), ("b", "c", 3), ("c", "d", 4), ("d", "e", 5)]


def test_improved_several_times():
    m = RoadMap(CHAIN)
    assert m.distance("a", "e") == 14
    assert m.route("a", "e") == ["a", "b", "c", "d", "e"]


def test_same_distance_backwards():
    m = RoadMap(CHAIN)
    assert m.distance("e", "a") == 14


def test_parallel_roads_take_the_shorter():
    m = RoadMap([("x", "y", 8), ("x", "y", 5), ("y", "x", 6)])
    assert m.distance("x", "y") == 5
    assert m.distance("y", "x") == 5


def test_within():
    assert RoadMap(CHAIN).within("a", 9) == ["b", "c", "d"]


def test_first_found_may_already_be_best():
    m = RoadMap([("p", "q", 1), ("q", "r", 1), ("p", "r", 2)])
    assert m.distance("p", "r") == 2
