import test from 'node:test';
import assert from 'node:assert/strict';
import { decodeAll, encodeAll, unzigzag, zigzag } from './varint.ts';

test('the smallest number survives', () => {
  assert.equal(unzigzag(zigzag(-2147483648)), -2147483648);
});

test('numbers around two to the thirtieth', () => {
  const numbers = [1073741823, 1073741824, -1073741824, -1073741825];
  assert.deepEqual(decodeAll(encodeAll(numbers)), numbers);
});

test('numbers of every bit length', () => {
  for (let bit = 0; bit < 31; bit++) {
    const n = 2 ** bit;
    assert.deepEqual(decodeAll(encodeAll([n, -n, n - 1])), [n, -n, n - 1]);
  }
});

test('refuses what does not fit', () => {
  assert.throws(() => encodeAll([2147483648]), RangeError);
  assert.throws(() => encodeAll([1.5]), RangeError);
});
