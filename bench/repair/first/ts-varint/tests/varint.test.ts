import test from 'node:test';
import assert from 'node:assert/strict';
import { decodeAll, encodeAll, unzigzag, zigzag } from './varint.ts';

test('zigzag interleaves the signs', () => {
  assert.deepEqual([0, -1, 1, -2, 2].map(zigzag), [0, 1, 2, 3, 4]);
});

test('unzigzag undoes it for small numbers', () => {
  assert.deepEqual([0, 1, 2, 3, 4].map(unzigzag), [0, -1, 1, -2, 2]);
});

test('small numbers take one byte', () => {
  assert.deepEqual([...encodeAll([0, -1, 63])], [0, 1, 126]);
});

test('larger numbers take more', () => {
  assert.deepEqual([...encodeAll([64])], [0x80, 0x01]);
  assert.equal(encodeAll([2147483647]).length, 5);
});

test('round trip of ordinary numbers', () => {
  const numbers = [5, -300, 70000, -1234567, 0];
  assert.deepEqual(decodeAll(encodeAll(numbers)), numbers);
});

test('round trip of the largest number', () => {
  assert.deepEqual(decodeAll(encodeAll([2147483647])), [2147483647]);
});

test('truncated input is refused', () => {
  assert.throws(() => decodeAll(Uint8Array.of(0x80)), /truncated/);
});
