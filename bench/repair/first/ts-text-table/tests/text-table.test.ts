import test from 'node:test';
import assert from 'node:assert/strict';
import { renderTable } from './text-table.ts';

test('columns are as wide as their widest cell', () => {
  assert.deepEqual(
    renderTable([{ name: 'Ada', city: 'London' }, { name: 'Grace', city: 'NYC' }], [{ key: 'name' }, { key: 'city' }]),
    ['name  | city', '------+-------', 'Ada   | London', 'Grace | NYC'],
  );
});

test('titles replace keys', () => {
  assert.deepEqual(renderTable([], [{ key: 'qty', title: 'Quantity' }]), ['Quantity', '--------']);
});

test('numbers to the right', () => {
  assert.deepEqual(
    renderTable([{ n: 5 }, { n: 120 }], [{ key: 'n', align: 'right' }]),
    ['  n', '---', '  5', '120'],
  );
});

test('a zero is shown', () => {
  assert.deepEqual(
    renderTable([{ item: 'pen', left: 0 }], [{ key: 'item' }, { key: 'left' }]),
    ['item | left', '-----+-----', 'pen  | 0'],
  );
});

test('missing cells are blank', () => {
  assert.deepEqual(renderTable([{ a: 'x' }, { a: null }], [{ key: 'a' }, { key: 'b' }])[3], '  |');
});

test('long cells are shortened to the limit', () => {
  assert.deepEqual(
    renderTable([{ t: 'introduction' }], [{ key: 't', limit: 6 }]),
    ['t', '------', 'intro…'],
  );
});
