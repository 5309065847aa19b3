class TokenBucket:
    """Allows bursts up to capacity, and one more request every `interval` seconds."""

    def __init__(self, capacity, interval, clock):
        self.capacity = capacity
        self.interval = interval
        self._clock = clock
        self._tokens = capacity
        self._updated = clock()

    def _refill(self):
        now = self._clock()
        gained = (now - self._updated) // self.interval
        self._tokens = min(self.capacity, self._tokens + gained)
        self._updated = now

    def allow(self, cost=1):
        self._refill()
        if self._tokens < cost:
            return False
        self._tokens -= cost
        return True

    def wait_time(self, cost=1):
        """Seconds until a request of this cost would be allowed."""
        self._refill()
        missing = cost - self._tokens
        return max(0, missing * self.interval)


def limiter(capacity, interval, clock):
    """A check per client, each client with a bucket of its own."""
    buckets = {}

    def check(client):
        if client not in buckets:
            buckets[client] = TokenBucket(capacity, interval, clock)
        return buckets[client].allow()

    return check
