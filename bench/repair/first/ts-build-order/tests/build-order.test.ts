import test from 'node:test';
import assert from 'node:assert/strict';
import { buildOrder, CycleError } from './build-order.ts';

test('independent packages keep their order', () => {
  assert.deepEqual(buildOrder({ b: [], a: [], c: [] }), ['b', 'a', 'c']);
});

test('nothing to build', () => {
  assert.deepEqual(buildOrder({}), []);
});

test('two packages that share a dependency', () => {
  assert.deepEqual(buildOrder({ web: ['core'], cli: ['core'], core: [] }), ['core', 'web', 'cli']);
});

test('packages that are not listed are built too', () => {
  assert.deepEqual(buildOrder({ app: ['left', 'right'] }), ['left', 'right', 'app']);
});

test('a cycle is reported', () => {
  assert.throws(() => buildOrder({ a: ['b'], b: ['c'], c: ['a'] }), {
    message: 'cycle: a -> b -> c -> a',
  });
});

test('a package that needs itself', () => {
  assert.throws(() => buildOrder({ a: ['a'] }), CycleError);
});
