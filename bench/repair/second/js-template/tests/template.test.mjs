import { test } from 'node:test';
import assert from 'node:assert/strict';
import { render, compile } from './template.mjs';

test('fills a hole', () => {
  assert.equal(render('Hi {{name}}!', { name: 'Eve' }), 'Hi Eve!');
});

test('nested paths', () => {
  assert.equal(render('{{ user.city }}', { user: { city: 'Graz' } }), 'Graz');
});

test('missing value becomes the fallback', () => {
  assert.equal(render('{{a}} {{b.c}}', {}, '?'), '? ?');
});

test('zero is a value', () => {
  assert.equal(render('{{count}} items', { count: 0 }, 'no'), '0 items');
});

test('filters run in order', () => {
  assert.equal(render('{{name | trim | upper}}', { name: ' bo ' }), 'BO');
});

test('unknown filter', () => {
  assert.throws(() => render('{{a | nope}}', { a: 1 }), /nope/);
});

test('compiled template', () => {
  const greet = compile('Dear {{who}}', 'reader');
  assert.equal(greet({ who: 'Ada' }), 'Dear Ada');
  assert.equal(greet({}), 'Dear reader');
});
