from bucket import TokenBucket, limiter


class FakeClock:
    def __init__(self):
        self.now = 100

    def __call__(self):
        return self.now


def test_burst():
    bucket = TokenBucket(3, 10, FakeClock())
    assert [bucket.allow() for _ in range(4)] == [True, True, True, False]


def test_one_more_after_the_interval():
    clock = FakeClock()
    bucket = TokenBucket(1, 10, clock)
    assert bucket.allow()
    clock.now += 10
    assert bucket.allow()
    assert not bucket.allow()


def test_never_more_than_capacity():
    clock = FakeClock()
    bucket = TokenBucket(2, 10, clock)
    clock.now += 1000
    assert [bucket.allow() for _ in range(3)] == [True, True, False]


def test_refused_calls_do_not_delay_the_refill():
    clock = FakeClock()
    bucket = TokenBucket(1, 10, clock)
    bucket.allow()
    answers = []
    for _ in range(2):
        clock.now += 5
        answers.append(bucket.allow())
    assert answers == [False, True]


def test_clients_do_not_share():
    check = limiter(1, 10, FakeClock())
    assert [check("a"), check("b"), check("a")] == [True, True, False]
