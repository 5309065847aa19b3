from lru import LRUCache


def test_order_after_reads():
    cache = LRUCache(4)
    for n in range(4):
        cache.put(n, n * n)
    cache.get(1)
    cache.get(0)
    cache.get(9)
    assert cache.keys() == [2, 3, 1, 0]


def test_overwriting_oldest_makes_it_newest():
    cache = LRUCache(2)
    cache.put("x", 1)
    cache.put("y", 2)
    cache.put("x", 3)
    assert cache.keys() == ["y", "x"]
    cache.put("z", 4)
    assert cache.keys() == ["x", "z"]


def test_overwrite_newest_when_full():
    cache = LRUCache(2)
    cache.put("x", 1)
    cache.put("y", 2)
    cache.put("y", 5)
    assert cache.keys() == ["x", "y"]
    assert cache.get("x") == 1


def test_capacity_one():
    cache = LRUCache(1)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") is None
    assert cache.get("b") == 2


def test_stored_none_is_a_hit():
    cache = LRUCache(2)
    cache.put("n", None)
    assert cache.get("n", "default") is None
    assert (cache.hits, cache.misses) == (1, 0)
