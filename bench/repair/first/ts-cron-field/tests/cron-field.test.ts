import test from 'node:test';
import assert from 'node:assert/strict';
import { expandField, matches } from './cron-field.ts';

test('a star means every value', () => {
  assert.deepEqual(expandField('*', 'weekday'), [0, 1, 2, 3, 4, 5, 6]);
});

test('lists and ranges are merged and sorted', () => {
  assert.deepEqual(expandField('9,1-3,2', 'hour'), [1, 2, 3, 9]);
});

test('a step over the whole field', () => {
  assert.deepEqual(expandField('*/20', 'minute'), [0, 20, 40]);
});

test('a step over a range starts at the range', () => {
  assert.deepEqual(expandField('5-50/15', 'minute'), [5, 20, 35, 50]);
});

test('values outside the field are refused', () => {
  assert.throws(() => expandField('60', 'minute'), RangeError);
  assert.throws(() => expandField('5-2', 'hour'), RangeError);
  assert.throws(() => expandField('*/0', 'hour'), RangeError);
});

test('matches a weekday morning', () => {
  const monday = new Date('2024-03-04T08:30:00Z');
  assert.equal(matches('30 8 1-5', monday), true);
  assert.equal(matches('30 8 0,6', monday), false);
});
