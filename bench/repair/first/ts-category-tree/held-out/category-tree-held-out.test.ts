import test from 'node:test';
import assert from 'node:assert/strict';
import { buildTree, outline, pathTo } from './category-tree.ts';

test('a chain given from the leaf up', () => {
  const tree = buildTree([
    { id: 30, parentId: 20, name: 'c' },
    { id: 20, parentId: 10, name: 'b' },
    { id: 10, parentId: null, name: 'a' },
  ]);
  assert.deepEqual(outline(tree), ['a', '  b', '    c']);
  assert.deepEqual(pathTo(tree, 30), ['a', 'b', 'c']);
});

test('siblings keep the order of their rows', () => {
  const tree = buildTree([
    { id: 5, parentId: 9, name: 'early' },
    { id: 9, parentId: null, name: 'top' },
    { id: 2, parentId: 9, name: 'late' },
    { id: 7, parentId: 5, name: 'deep' },
  ]);
  assert.deepEqual(outline(tree), ['top', '  early', '    deep', '  late']);
});

test('the order of the roots is the order of their rows', () => {
  const tree = buildTree([
    { id: 3, parentId: 4, name: 'x' },
    { id: 6, parentId: 50, name: 'orphan' },
    { id: 4, parentId: null, name: 'y' },
    { id: 1, parentId: null, name: 'z' },
  ]);
  assert.deepEqual(tree.map((node) => node.name), ['orphan', 'y', 'z']);
});

test('an id of zero is an ordinary parent', () => {
  const tree = buildTree([
    { id: 1, parentId: 0, name: 'one' },
    { id: 0, parentId: null, name: 'zero' },
  ]);
  assert.deepEqual(outline(tree), ['zero', '  one']);
});

test('the given rows are not touched', () => {
  const rows = [{ id: 1, parentId: null, name: 'only' }];
  buildTree(rows);
  assert.deepEqual(rows, [{ id: 1, parentId: null, name: 'only' }]);
});
