import pytest

from bucket import TokenBucket


class FakeClock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return FakeClock()


def test_starts_full(clock):
    assert TokenBucket(5, 1, clock).available() == 5


def test_burst_up_to_capacity(clock):
    bucket = TokenBucket(3, 1, clock)
    assert [bucket.allow() for _ in range(4)] == [True, True, True, False]


def test_refusal_spends_nothing(clock):
    bucket = TokenBucket(4, 1, clock)
    assert bucket.allow(9) is False
    assert bucket.available() == 4


def test_refills_with_time(clock):
    bucket = TokenBucket(10, 2, clock)
    bucket.allow(8)
    clock.now += 1.5
    assert bucket.available() == 5


def test_idle_time_does_not_overfill(clock):
    bucket = TokenBucket(3, 1, clock)
    clock.now += 60
    assert bucket.available() == 3


def test_rejects_bad_rate(clock):
    with pytest.raises(ValueError):
        TokenBucket(1, 0, clock)
