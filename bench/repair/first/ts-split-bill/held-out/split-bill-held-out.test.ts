import test from 'node:test';
import assert from 'node:assert/strict';
import { allocate, splitBill } from './split-bill.ts';

test('no cent is lost or made', () => {
  for (let total = 0; total <= 120; total++) {
    for (const weights of [[1, 2, 4], [5, 3], [2, 2, 3, 0], [7]]) {
      const sum = allocate(total, weights).reduce((a, b) => a + b, 0);
      assert.equal(sum, total);
    }
  }
});

test('a weight of zero pays nothing', () => {
  assert.deepEqual(allocate(100, [0, 1, 2]), [0, 33, 67]);
});

test('shares that come out even get nothing extra', () => {
  assert.deepEqual(allocate(9, [1, 2]), [3, 6]);
  assert.deepEqual(allocate(10, [2, 3]), [4, 6]);
  assert.deepEqual(allocate(15, [1, 4]), [3, 12]);
});

test('two cents left over among four', () => {
  assert.deepEqual(allocate(10, [1, 1, 1, 3]), [2, 2, 1, 5]);
});

test('a bill by name and weight', () => {
  assert.deepEqual(splitBill(1000, { Ann: 3, Bo: 4 }), { Ann: '4.29', Bo: '5.71' });
});
