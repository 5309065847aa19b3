import pytest

from buildorder import CycleError, build_order, parse_rules


def test_needed_twice_by_the_same_task():
    assert build_order({"a": ["b", "b"]}, "a") == ["b", "a"]


def test_many_diamonds():
    rules = {"g": ["e", "f"], "e": ["c", "d"], "f": ["d", "c"], "c": ["a", "b"], "d": ["b", "a"]}
    assert build_order(rules, "g") == ["a", "b", "c", "d", "e", "f", "g"]


def test_task_needs_itself():
    with pytest.raises(CycleError) as e:
        build_order({"a": ["a"]}, "a")
    assert str(e.value) == "a -> a"


def test_cycle_path_does_not_name_finished_tasks():
    rules = parse_rules("top: x y\nx: leaf\ny: leaf z\nz: w\nw: x y")
    with pytest.raises(CycleError) as e:
        build_order(rules, "top")
    assert e.value.path == ["y", "z", "w", "y"]


def test_deep_dependency_met_again_higher_up():
    assert build_order({"a": ["b", "c"], "b": ["c"]}, "a") == ["c", "b", "a"]
