import test from 'node:test';
import assert from 'node:assert/strict';
import { formatQuery, parseQuery } from './query-string.ts';

test('padding at the end of a base64 value', () => {
  assert.deepEqual(parseQuery('token=YWJjZA==&x=1'), { token: 'YWJjZA==', x: '1' });
});

test('several equals signs', () => {
  assert.deepEqual(parseQuery('where=a=1=b=2'), { where: 'a=1=b=2' });
});

test('several plus signs in a row and in the key', () => {
  assert.deepEqual(parseQuery('full+first+name=+a++b+'), { 'full first name': ' a  b ' });
});

test('round trip of awkward values', () => {
  const query = { 'a=b': 'c=d=e', text: 'one two three & four', list: ['x+y', '= ='] };
  assert.deepEqual(parseQuery(formatQuery(query)), query);
});

test('empty pairs are skipped', () => {
  assert.deepEqual(parseQuery('?&a=1&&b=2&'), { a: '1', b: '2' });
});
