from collections import OrderedDict


class LRUCache:
    """Keeps the most recently used items, up to a capacity."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._items = OrderedDict()

    def __len__(self):
        return len(self._items)

    def __contains__(self, key):
        # looking does not count as use
        return key in self._items

    def get(self, key, default=None):
        if key not in self._items:
            self.misses += 1
            return default
        self.hits += 1
        return self._items[key]

    def put(self, key, value):
        if len(self._items) >= self.capacity:
            self._items.popitem(last=False)
        self._items[key] = value
        self._items.move_to_end(key)

    def keys(self):
        """Keys from least to most recently used."""
        return list(self._items)
