import test from 'node:test';
import assert from 'node:assert/strict';
import { decode, encode } from './run-length.ts';

test('two long runs next to each other', () => {
  assert.equal(decode('10a11b'), 'a'.repeat(10) + 'b'.repeat(11));
});

test('a run of more than a hundred', () => {
  assert.equal(decode('x105yz'), 'x' + 'y'.repeat(105) + 'z');
});

test('a dangling count of two digits', () => {
  assert.throws(() => decode('2a14'), /count without/);
});

test('a count belongs to one character only', () => {
  assert.equal(decode('4zabc2 '), 'zzzzabc  ');
});

test('round trips of many lengths', () => {
  for (let n = 0; n <= 130; n++) {
    const text = 'p'.repeat(n) + 'q' + 'r'.repeat(n * 2);
    assert.equal(decode(encode(text)), text);
  }
});
