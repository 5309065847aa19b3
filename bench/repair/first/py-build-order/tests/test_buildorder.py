import pytest

from buildorder import CycleError, build_order, parse_rules


def test_parse():
    text = "app: lib util\n\n# nothing\nlib: core # base\nclean:\n"
    assert parse_rules(text) == {"app": ["lib", "util"], "lib": ["core"], "clean": []}


def test_chain():
    assert build_order({"a": ["b"], "b": ["c"]}, "a") == ["c", "b", "a"]


def test_leaf():
    assert build_order({}, "x") == ["x"]


def test_shared_dependency():
    rules = parse_rules("app: lib util\nlib: core\nutil: core")
    assert build_order(rules, "app") == ["core", "lib", "util", "app"]


def test_cycle():
    with pytest.raises(CycleError) as e:
        build_order({"a": ["b"], "b": ["c"], "c": ["b"]}, "a")
    assert e.value.path == ["b", "c", "b"]


def test_only_what_is_needed():
    assert build_order({"a": ["b"], "z": ["a"]}, "a") == ["b", "a"]
