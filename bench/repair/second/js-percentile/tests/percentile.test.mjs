import { test } from 'node:test';
import assert from 'node:assert/strict';
import { histogram, median, outliers, percentile } from './percentile.mjs';

test('median of single digits', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test('median of mixed lengths', () => {
  assert.equal(median([100, 9, 20]), 20);
});

test('percentile between ranks', () => {
  assert.equal(percentile([1, 2, 3, 4, 5], 10), 1.4);
  assert.equal(percentile([1, 2, 3, 4, 5], 100), 5);
});

test('nothing to measure', () => {
  assert.equal(median([]), undefined);
});

test('histogram', () => {
  assert.deepEqual(histogram([0, 1, 2, 3, 4], 2), [2, 3]);
});

test('histogram of equal values', () => {
  assert.deepEqual(histogram([5, 5, 5], 3), [3, 0, 0]);
});

test('outliers', () => {
  assert.deepEqual(outliers([10, 12, 11, 13, 12, 100]), [100]);
});

test('the input keeps its order', () => {
  const values = [3, 1, 2];
  median(values);
  assert.deepEqual(values, [3, 1, 2]);
});
