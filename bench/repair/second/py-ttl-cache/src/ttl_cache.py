import time


class TTLCache:
    """Keeps loaded values for `ttl` seconds. None means 'nothing there' and is not kept."""

    def __init__(self, ttl, max_size=128, clock=time.monotonic):
        self.ttl = ttl
        self.max_size = max_size
        self._clock = clock
        self._entries = {}
        self.hits = 0
        self.misses = 0

    def get(self, key):
        entry = self._entries.get(key)
        if entry is None:
            return None
        value, expires = entry
        if self._clock() >= expires:
            del self._entries[key]
            return None
        return value

    def put(self, key, value):
        if value is None:
            return
        self._entries.pop(key, None)
        while len(self._entries) >= self.max_size:
            oldest = next(iter(self._entries))
            del self._entries[oldest]
        self._entries[key] = (value, self._clock() + self.ttl)

    def get_or_load(self, key, load):
        value = self.get(key)
        if value:
            self.hits += 1
            return value
        self.misses += 1
        value = load(key)
        self.put(key, value)
        return value

    def __len__(self):
        return len(self._entries)
