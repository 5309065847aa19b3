import pytest

from ttl_cache import TTLCache


@pytest.mark.parametrize("empty", ["", [], {}, False, 0.0])
def test_empty_values_are_kept(empty):
    calls = []

    def load(key):
        calls.append(key)
        return empty

    cache = TTLCache(60, clock=lambda: 5)
    assert cache.get_or_load("k", load) == empty
    assert cache.get_or_load("k", load) == empty
    assert calls == ["k"]
    assert (cache.hits, cache.misses) == (1, 1)


def test_zero_expires_like_any_other():
    now = [0]
    answers = iter([0, 7])
    cache = TTLCache(3, clock=lambda: now[0])
    assert cache.get_or_load("n", lambda _: next(answers)) == 0
    now[0] = 2
    assert cache.get_or_load("n", lambda _: next(answers)) == 0
    now[0] = 3
    assert cache.get_or_load("n", lambda _: next(answers)) == 7


def test_none_counts_as_a_miss():
    cache = TTLCache(3, clock=lambda: 0)
    assert cache.get_or_load("n", lambda _: None) is None
    assert cache.get_or_load("n", lambda _: 4) == 4
    assert (cache.hits, cache.misses) == (0, 2)
