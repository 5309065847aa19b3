import test from 'node:test';
import assert from 'node:assert/strict';
import { allocate, splitBill } from './split-bill.ts';

test('an even split', () => {
  assert.deepEqual(allocate(900, [1, 1, 1]), [300, 300, 300]);
});

test('the first ones pay the odd cents', () => {
  assert.deepEqual(allocate(1000, [1, 1, 1]), [334, 333, 333]);
  assert.deepEqual(allocate(1001, [1, 1, 1]), [334, 334, 333]);
});

test('by weight, without a remainder', () => {
  assert.deepEqual(allocate(1000, [1, 3]), [250, 750]);
});

test('by weight, with a remainder', () => {
  assert.deepEqual(allocate(100, [1, 2]), [33, 67]);
  assert.deepEqual(allocate(101, [1, 1, 2]), [25, 25, 51]);
});

test('weights must not be all zero', () => {
  assert.throws(() => allocate(100, [0, 0]), RangeError);
});

test('a bill by name', () => {
  assert.deepEqual(splitBill(2500, { Ann: 1, Bo: 1 }), { Ann: '12.50', Bo: '12.50' });
});
