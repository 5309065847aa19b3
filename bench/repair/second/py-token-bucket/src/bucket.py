import time
from collections.abc import Callable


class TokenBucket:
    def __init__(self, capacity: float, per_second: float, clock: Callable[[], float] = time.monotonic):
        if capacity <= 0 or per_second <= 0:
            raise ValueError("capacity and rate must be positive")
        self.capacity = capacity
        self.per_second = per_second
        self._clock = clock
        self._tokens = float(capacity)
        self._stamp = clock()

    def _refill(self):
        now = self._clock()
        gained = (now - self._stamp) * self.per_second
        self._tokens = self._tokens + gained
        self._stamp = now

    def available(self) -> float:
        self._refill()
        return self._tokens

    def allow(self, cost: float = 1) -> bool:
        """Spend `cost` tokens if the bucket holds them."""
        self._refill()
        if self._tokens > cost:
            self._tokens -= cost
            return True
        return False

    def wait_time(self, cost: float = 1) -> float:
        """Seconds until `cost` tokens will be there."""
        self._refill()
        missing = cost - self._tokens
        return max(0.0, missing / self.per_second)
