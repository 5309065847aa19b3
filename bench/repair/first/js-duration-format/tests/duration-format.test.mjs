import test from 'node:test';
import assert from 'node:assert/strict';
import { clockDuration, humanDuration } from './duration-format.mjs';

test('whole parts', () => {
  assert.equal(humanDuration(3_723_000), '1h 2m 3s');
  assert.equal(humanDuration(7_200_000), '2h');
  assert.equal(humanDuration(0), '0s');
});

test('fractions are rounded', () => {
  assert.equal(humanDuration(1_400), '1s');
  assert.equal(humanDuration(1_600), '2s');
});

test('rounding up to a full minute', () => {
  assert.equal(humanDuration(59_600), '1m');
});

test('negative durations', () => {
  assert.equal(humanDuration(-65_000), '-1m 5s');
});

test('clock style', () => {
  assert.equal(clockDuration(65_000), '1:05');
  assert.equal(clockDuration(3_723_000), '1:02:03');
});

test('clock style, rounding up to a full minute', () => {
  assert.equal(clockDuration(119_700), '2:00');
});
