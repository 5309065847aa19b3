import { test } from 'node:test';
import assert from 'node:assert/strict';
import { histogram, median, outliers, percentile } from './percentile.mjs';

test('negative numbers', () => {
  assert.equal(median([-1, -20, 3]), -1);
  assert.equal(percentile([-5, -10, 0, -1], 0), -10);
  assert.equal(percentile([-5, -10, 0, -1], 100), 0);
});

test('numbers of several lengths', () => {
  assert.equal(percentile([1000, 5, 40, 300, 2], 75), 300);
  assert.equal(percentile([1000, 5, 40, 300, 2], 25), 5);
});

test('histogram has just the bins asked for', () => {
  for (let bins = 1; bins < 12; bins++) {
    const counts = histogram([1, 4, 9, 16, 25, 36], bins);
    assert.equal(counts.length, bins);
    assert.equal(counts.reduce((a, b) => a + b), 6);
    assert.ok(counts.at(-1) >= 1);
  }
});

test('the largest value more than once', () => {
  assert.deepEqual(histogram([0, 10, 10, 3, 5], 5), [1, 1, 1, 0, 2]);
});

test('values on a bin edge go to the upper bin', () => {
  assert.deepEqual(histogram([0, 2, 4, 6, 8], 4), [1, 1, 1, 2]);
});

test('low outlier', () => {
  assert.deepEqual(outliers([98, 101, 99, 102, 100, 7]), [7]);
});
