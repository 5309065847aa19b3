import pytest

from lru import LRUCache


def filled():
    cache = LRUCache(3)
    for key in "abc":
        cache.put(key, key.upper())
    return cache


def test_get_and_default():
    cache = filled()
    assert cache.get("a") == "A"
    assert cache.get("z", "?") == "?"


def test_oldest_is_dropped():
    cache = filled()
    cache.put("d", "D")
    assert cache.keys() == ["b", "c", "d"]


def test_read_keeps_an_item_alive():
    cache = filled()
    cache.get("a")
    cache.put("d", "D")
    assert "a" in cache
    assert "b" not in cache


def test_overwriting_does_not_evict():
    cache = filled()
    cache.put("c", "new")
    assert len(cache) == 3
    assert cache.get("c") == "new"


def test_counts():
    cache = filled()
    cache.get("a")
    cache.get("x")
    cache.get("y")
    assert (cache.hits, cache.misses) == (1, 2)


def test_capacity_must_be_positive():
    with pytest.raises(ValueError):
        LRUCache(0)
