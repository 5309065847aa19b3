import pytest

from bucket import TokenBucket, limiter


class FakeClock:
    def __init__(self, now=0):
        self.now = now

    def __call__(self):
        return self.now


def test_wait_time_shrinks():
    clock = FakeClock()
    bucket = TokenBucket(1, 8, clock)
    bucket.allow()
    waits = []
    for _ in range(5):
        waits.append(bucket.wait_time())
        clock.now += 2
    assert waits == pytest.approx([8, 6, 4, 2, 0])


def test_remainder_is_kept_for_the_next_token():
    clock = FakeClock()
    bucket = TokenBucket(2, 4, clock)
    bucket.allow(2)
    clock.now = 6
    assert bucket.allow()
    clock.now = 7
    assert not bucket.allow()
    clock.now = 8
    assert bucket.allow()


def test_rate_over_a_long_time():
    clock = FakeClock()
    check = limiter(1, 4, clock)
    allowed = 0
    for second in range(41):
        clock.now = second
        allowed += check("me")
    assert allowed == 11


def test_not_too_early():
    clock = FakeClock()
    bucket = TokenBucket(1, 10, clock)
    bucket.allow()
    clock.now = 9
    assert not bucket.allow()


def test_fresh_bucket_needs_no_wait():
    assert TokenBucket(2, 3, FakeClock()).wait_time(2) == 0
