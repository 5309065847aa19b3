import test from 'node:test';
import assert from 'node:assert/strict';
import { TokenBucket } from './token-bucket.ts';

function setup(capacity: number, interval: number) {
  const clock = { time: 0 };
  const bucket = new TokenBucket({ capacity, interval, now: () => clock.time });
  return { clock, bucket };
}

test('starts full', () => {
  const { bucket } = setup(3, 100);
  assert.equal(bucket.available(), 3);
});

test('refuses when empty', () => {
  const { bucket } = setup(2, 100);
  assert.deepEqual([bucket.take(), bucket.take(), bucket.take()], [true, true, false]);
});

test('earns a token per interval', () => {
  const { bucket, clock } = setup(2, 100);
  bucket.take(2);
  clock.time = 100;
  assert.equal(bucket.available(), 1);
});

test('asking often does not slow down the refill', () => {
  const { bucket, clock } = setup(2, 100);
  bucket.take(2);
  clock.time = 60;
  assert.equal(bucket.take(), false);
  clock.time = 120;
  assert.equal(bucket.take(), true);
});

test('never holds more than its capacity', () => {
  const { bucket, clock } = setup(2, 100);
  bucket.take();
  clock.time = 5000;
  assert.equal(bucket.available(), 2);
});

test('takes all or nothing', () => {
  const { bucket } = setup(3, 100);
  assert.equal(bucket.take(4), false);
  assert.equal(bucket.take(3), true);
  assert.equal(bucket.available(), 0);
});
