import test from 'node:test';
import assert from 'node:assert/strict';
import { formatQuery, parseQuery } from './query-string.ts';

test('parses pairs, with or without the question mark', () => {
  assert.deepEqual(parseQuery('?a=1&b=two'), { a: '1', b: 'two' });
  assert.deepEqual(parseQuery('a=1'), { a: '1' });
  assert.deepEqual(parseQuery(''), {});
});

test('repeated keys become a list', () => {
  assert.deepEqual(parseQuery('tag=x&tag=y&tag=z'), { tag: ['x', 'y', 'z'] });
});

test('a key without a value', () => {
  assert.deepEqual(parseQuery('debug&level='), { debug: '', level: '' });
});

test('an equals sign in the value', () => {
  assert.deepEqual(parseQuery('filter=size=10'), { filter: 'size=10' });
});

test('plus signs are spaces', () => {
  assert.deepEqual(parseQuery('q=red+wool+socks'), { q: 'red wool socks' });
});

test('percent codes are decoded', () => {
  assert.deepEqual(parseQuery('name=M%C3%BCller&sum=1%2B1'), { name: 'Müller', sum: '1+1' });
});

test('formats a query', () => {
  assert.equal(formatQuery({ q: 'a b c', id: ['1', '2'] }), 'q=a+b+c&id=1&id=2');
});
