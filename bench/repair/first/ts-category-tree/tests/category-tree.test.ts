import test from 'node:test';
import assert from 'node:assert/strict';
import { buildTree, outline, pathTo } from './category-tree.ts';

const shop = [
  { id: 1, parentId: null, name: 'Books' },
  { id: 2, parentId: 1, name: 'Crime' },
  { id: 3, parentId: null, name: 'Music' },
  { id: 4, parentId: 2, name: 'Nordic' },
  { id: 5, parentId: 1, name: 'Poetry' },
];

test('nests rows under their parents', () => {
  assert.deepEqual(outline(buildTree(shop)), ['Books', '  Crime', '    Nordic', '  Poetry', 'Music']);
});

test('no rows give no tree', () => {
  assert.deepEqual(buildTree([]), []);
});

test('rows without their parent become roots', () => {
  assert.deepEqual(buildTree([{ id: 8, parentId: 99, name: 'Lost' }]), [{ id: 8, name: 'Lost', children: [] }]);
});

test('a child may come before its parent', () => {
  const tree = buildTree([
    { id: 2, parentId: 1, name: 'Crime' },
    { id: 1, parentId: null, name: 'Books' },
  ]);
  assert.deepEqual(tree, [{ id: 1, name: 'Books', children: [{ id: 2, name: 'Crime', children: [] }] }]);
});

test('finds the path to a node', () => {
  const tree = buildTree(shop);
  assert.deepEqual(pathTo(tree, 4), ['Books', 'Crime', 'Nordic']);
  assert.equal(pathTo(tree, 77), null);
});
