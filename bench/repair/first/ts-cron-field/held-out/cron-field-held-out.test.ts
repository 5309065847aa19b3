import test from 'node:test';
import assert from 'node:assert/strict';
import { expandField, matches } from './cron-field.ts';

test('odd hours', () => {
  assert.deepEqual(expandField('1-9/2', 'hour'), [1, 3, 5, 7, 9]);
});

test('the last step may fall short of the end', () => {
  assert.deepEqual(expandField('7-30/10', 'minute'), [7, 17, 27]);
});

test('ranges that start on a multiple of the step', () => {
  assert.deepEqual(expandField('10-30/10', 'minute'), [10, 20, 30]);
});

test('two stepped ranges together', () => {
  assert.deepEqual(expandField('2-8/3,20-23/2', 'hour'), [2, 5, 8, 20, 22]);
});

test('matches uses the stepped range', () => {
  assert.equal(matches('3-59/7 * *', new Date('2024-06-01T12:17:00Z')), true);
  assert.equal(matches('3-59/7 * *', new Date('2024-06-01T12:14:00Z')), false);
});
