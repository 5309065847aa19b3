import test from 'node:test';
import assert from 'node:assert/strict';
import { clockDuration, humanDuration } from './duration-format.mjs';

test('rounding up to a full hour', () => {
  assert.equal(humanDuration(3_599_500), '1h');
  assert.equal(clockDuration(3_599_900), '1:00:00');
});

test('rounding up to a minute within an hour', () => {
  assert.equal(humanDuration(3_779_800), '1h 3m');
  assert.equal(clockDuration(2 * 3_600_000 + 59_999), '2:01:00');
});

test('just below the half second', () => {
  assert.equal(humanDuration(59_499), '59s');
  assert.equal(clockDuration(3_599_499), '59:59');
});

test('rounding up an hour to the next', () => {
  assert.equal(clockDuration(7_199_600), '2:00:00');
  assert.equal(humanDuration(-7_199_600), '-2h');
});

test('long durations', () => {
  assert.equal(clockDuration(100 * 3_600_000 + 1_000), '100:00:01');
  assert.equal(humanDuration(400), '0s');
});
