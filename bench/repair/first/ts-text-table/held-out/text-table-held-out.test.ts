import test from 'node:test';
import assert from 'node:assert/strict';
import { renderTable } from './text-table.ts';

test('false is a value too', () => {
  assert.deepEqual(
    renderTable([{ on: false }, { on: true }, { on: undefined }], [{ key: 'on' }]),
    ['on', '-----', 'false', 'true', ''],
  );
});

test('a column of zeros, right-aligned', () => {
  assert.deepEqual(
    renderTable([{ sum: 0 }, { sum: 10 }, { sum: -0 }], [{ key: 'sum', align: 'right' }]),
    ['sum', '---', '  0', ' 10', '  0'],
  );
});

test('no shortened cell is wider than its limit', () => {
  for (const limit of [2, 5, 9]) {
    const lines = renderTable([{ a: 'abcdefghijklmnop' }], [{ key: 'a', limit }]);
    assert.equal(lines[2].length, limit);
    assert.ok(lines[2].endsWith('…'));
  }
});

test('a cell of exactly the limit is left alone', () => {
  assert.equal(renderTable([{ a: 'abcde' }], [{ key: 'a', limit: 5 }])[2], 'abcde');
  assert.equal(renderTable([{ a: 'abcdef' }], [{ key: 'a', limit: 5 }])[2], 'abcd…');
});

test('an empty string and an empty row', () => {
  assert.deepEqual(renderTable([{ a: '' }, {}], [{ key: 'a' }]), ['a', '-', '', '']);
});
