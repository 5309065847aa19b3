from bucket import TokenBucket


class Ticker:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_whole_bucket_in_one_request():
    bucket = TokenBucket(8, 1, Ticker())
    assert bucket.allow(8)
    assert not bucket.allow(1)
    assert bucket.available() == 0


def test_exact_refill_is_enough():
    clock = Ticker()
    bucket = TokenBucket(4, 2, clock)
    bucket.allow(3)
    clock.now = 1.0
    assert bucket.allow(3)


def test_just_short_is_refused():
    clock = Ticker()
    bucket = TokenBucket(4, 2, clock)
    assert bucket.allow(3)
    clock.now = 0.75
    assert not bucket.allow(3)
    assert bucket.available() == 2.5


def test_partly_spent_bucket_fills_only_to_capacity():
    clock = Ticker()
    bucket = TokenBucket(6, 3, clock)
    bucket.allow(2)
    clock.now = 5
    assert bucket.available() == 6
    assert not bucket.allow(7)


def test_wait_time():
    clock = Ticker()
    bucket = TokenBucket(5, 2, clock)
    bucket.allow(4)
    assert bucket.wait_time(3) == 1.0
    clock.now = 40
    assert bucket.wait_time(7) == 1.0
