import test from 'node:test';
import assert from 'node:assert/strict';
import { decode, encode } from './run-length.ts';

test('encodes runs and leaves single characters alone', () => {
  assert.equal(encode('aaabccd'), '3ab2cd');
  assert.equal(encode(''), '');
});

test('refuses digits', () => {
  assert.throws(() => encode('ab1'), /digit 1/);
});

test('encodes a long run', () => {
  assert.equal(encode('-'.repeat(12)), '12-');
});

test('decodes short runs', () => {
  assert.equal(decode('3ab2cd'), 'aaabccd');
  assert.equal(decode(''), '');
});

test('decodes a long run', () => {
  assert.equal(decode('12-'), '------------');
});

test('a count must be followed by a character', () => {
  assert.throws(() => decode('a3'), /count without/);
});

test('round trip', () => {
  const line = '#'.repeat(15) + '  ' + '.'.repeat(9) + '#';
  assert.equal(decode(encode(line)), line);
});
