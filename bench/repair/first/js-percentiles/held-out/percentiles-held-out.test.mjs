import test from 'node:test';
import assert from 'node:assert/strict';
import { median, outliers, percentile, summary } from './percentiles.mjs';

test('negative numbers', () => {
  assert.equal(median([-1, -2, -10]), -2);
  assert.equal(percentile([-5, 5, -50, 50], 0), -50);
});

test('numbers of very different size', () => {
  assert.deepEqual(summary([1000, 1, 100, 10, 10000]), {
    min: 1, q1: 10, median: 100, q3: 1000, max: 10000, iqr: 990,
  });
  assert.equal(median([100, 25, 3]), 25);
});

test('exponents and fractions', () => {
  assert.equal(median([1e21, 2, 0.5]), 2);
  assert.equal(percentile([1e-7, 0.5, 3], 0), 1e-7);
});

test('the input is left in its order', () => {
  const values = [30, 4, 100];
  median(values);
  assert.deepEqual(values, [30, 4, 100]);
});

test('outliers among values of mixed length', () => {
  assert.deepEqual(outliers([8, 9, 10, 11, 12, 100]), [100]);
  assert.deepEqual(outliers([98, 99, 100, 101, 102, 7]), [7]);
});
