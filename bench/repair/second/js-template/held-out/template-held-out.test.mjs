import { test } from 'node:test';
import assert from 'node:assert/strict';
import { render, compile } from './template.mjs';

test('false is a value', () => {
  assert.equal(render('on: {{flags.on}}', { flags: { on: false } }, 'unset'), 'on: false');
});

test('the empty string is a value', () => {
  assert.equal(render('[{{name}}]', { name: '' }, 'nobody'), '[]');
});

test('null is missing', () => {
  assert.equal(render('[{{name}}]', { name: null }, 'nobody'), '[nobody]');
  assert.equal(render('[{{a.b}}]', { a: null }, '-'), '[-]');
});

test('zero goes through filters', () => {
  assert.equal(render('{{price | fixed}}', { price: 0 }, 'free'), '0.00');
});

test('fallback passes no filter', () => {
  assert.equal(render('{{x | upper}}', {}, 'none'), 'none');
});

test('NaN is shown', () => {
  assert.equal(compile('{{n}}', '?')({ n: NaN }), 'NaN');
});
