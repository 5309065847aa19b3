import test from 'node:test';
import assert from 'node:assert/strict';
import { TokenBucket } from './token-bucket.ts';

function setup(capacity: number, interval: number, start = 0) {
  const clock = { time: start };
  const bucket = new TokenBucket({ capacity, interval, now: () => clock.time });
  return { clock, bucket };
}

test('polling every ten milliseconds earns as much as waiting', () => {
  const { bucket, clock } = setup(100, 25, 7);
  bucket.take(100);
  for (let i = 0; i < 50; i++) {
    clock.time += 10;
    bucket.available();
  }
  assert.equal(bucket.available(), 20);
});

test('the part of an interval after a credited token is kept', () => {
  const { bucket, clock } = setup(5, 100);
  bucket.take(5);
  clock.time = 250;
  assert.equal(bucket.available(), 2);
  clock.time = 300;
  assert.equal(bucket.available(), 3);
});

test('a full bucket saves up no time', () => {
  const { bucket, clock } = setup(2, 100);
  clock.time = 990;
  bucket.take(2);
  clock.time = 1040;
  assert.equal(bucket.available(), 0);
  clock.time = 1090;
  assert.equal(bucket.available(), 1);
});

test('idle time beyond the capacity is not carried over', () => {
  const { bucket, clock } = setup(2, 100);
  bucket.take(2);
  clock.time = 1000;
  assert.equal(bucket.take(2), true);
  clock.time = 1010;
  assert.equal(bucket.take(), false);
});

test('no whole token before the interval has passed', () => {
  const { bucket, clock } = setup(1, 100);
  bucket.take();
  for (const time of [30, 60, 99]) {
    clock.time = time;
    assert.equal(bucket.take(), false);
  }
  clock.time = 100;
  assert.equal(bucket.take(), true);
});
