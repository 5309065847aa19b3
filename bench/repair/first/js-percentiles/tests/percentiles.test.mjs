import test from 'node:test';
import assert from 'node:assert/strict';
import { median, outliers, percentile, summary } from './percentiles.mjs';

test('the median of an odd number of values', () => {
  assert.equal(median([3, 1, 2]), 2);
});

test('the median of an even number of values', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test('the median of values with one and two digits', () => {
  assert.equal(median([9, 10, 8, 11, 7]), 9);
});

test('percentiles lie between the ranks', () => {
  assert.equal(percentile([10, 20, 30, 40, 50], 25), 20);
  assert.equal(percentile([10, 20], 75), 17.5);
});

test('no values, or a bad percentile', () => {
  assert.throws(() => median([]), RangeError);
  assert.throws(() => percentile([1], 101), RangeError);
});

test('a summary', () => {
  assert.deepEqual(summary([1, 2, 3, 4, 5]), { min: 1, q1: 2, median: 3, q3: 4, max: 5, iqr: 2 });
});

test('finds outliers', () => {
  assert.deepEqual(outliers([5, 6, 5, 7, 6, 5, 7]), []);
  assert.deepEqual(outliers([50, 51, 52, 53, 99]), [99]);
});
