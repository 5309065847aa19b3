import math


class RunningStats:
    """Mean and variance of a stream, in one pass and without keeping the values."""

    def __init__(self, values=()):
        self.count = 0
        self.mean = 0.0
        self._m2 = 0.0
        self.low = math.inf
        self.high = -math.inf
        for value in values:
            self.push(value)

    def push(self, value):
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self._m2 += delta * (value - self.mean)
        self.low = min(self.low, value)
        self.high = max(self.high, value)

    def variance(self):
        """Sample variance; nan with fewer than two values."""
        if self.count < 2:
            return math.nan
        return self._m2 / (self.count - 1)

    def stdev(self):
        return math.sqrt(self.variance())

    def merged(self, other):
        result = RunningStats()
        result.count = self.count + other.count
        if result.count == 0:
            return result
        delta = other.mean - self.mean
        result.mean = (self.mean * self.count + other.mean * other.count) / result.count
        result._m2 = self._m2 + other._m2 + delta * delta * self.count * other.count / result.count
        result.low = min(self.low, other.low)
        result.high = max(self.high, other.high)
        return result
