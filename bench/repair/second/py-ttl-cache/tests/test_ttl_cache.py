import pytest

from ttl_cache import TTLCache


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


class Loader:
    def __init__(self, values):
        self.values = values
        self.calls = []

    def __call__(self, key):
        self.calls.append(key)
        return self.values.get(key)


@pytest.fixture
def clock():
    return Clock()


def test_loads_once(clock):
    cache, load = TTLCache(10, clock=clock), Loader({"a": 1})
    assert [cache.get_or_load("a", load) for _ in range(3)] == [1, 1, 1]
    assert load.calls == ["a"]
    assert (cache.hits, cache.misses) == (2, 1)


def test_zero_is_a_value(clock):
    cache, load = TTLCache(10, clock=clock), Loader({"visits": 0})
    assert cache.get_or_load("visits", load) == 0
    assert cache.get_or_load("visits", load) == 0
    assert load.calls == ["visits"]


def test_expires(clock):
    cache, load = TTLCache(10, clock=clock), Loader({"a": 1})
    cache.get_or_load("a", load)
    clock.now = 10
    cache.get_or_load("a", load)
    assert load.calls == ["a", "a"]


def test_none_is_not_kept(clock):
    cache, load = TTLCache(10, clock=clock), Loader({})
    cache.get_or_load("x", load)
    cache.get_or_load("x", load)
    assert load.calls == ["x", "x"]
    assert len(cache) == 0


def test_oldest_goes_first(clock):
    cache = TTLCache(10, max_size=2, clock=clock)
    for key in "abc":
        cache.put(key, key.upper())
    assert [cache.get(k) for k in "abc"] == [None, "B", "C"]
