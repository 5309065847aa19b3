import test from 'node:test';
import assert from 'node:assert/strict';
import { buildOrder, CycleError } from './build-order.ts';

test('a diamond', () => {
  assert.deepEqual(
    buildOrder({ top: ['left', 'right'], left: ['base'], right: ['base'] }),
    ['base', 'left', 'right', 'top'],
  );
});

test('a dependency named twice', () => {
  assert.deepEqual(buildOrder({ a: ['b', 'b'] }), ['b', 'a']);
});

test('a chain listed from the bottom', () => {
  assert.deepEqual(buildOrder({ one: [], two: ['one'], three: ['two', 'one'] }), ['one', 'two', 'three']);
});

test('only the packages of the cycle are named', () => {
  assert.throws(
    () => buildOrder({ start: ['tool', 'x'], tool: [], x: ['y'], y: ['x'] }),
    (error: unknown) => {
      assert.ok(error instanceof CycleError);
      assert.deepEqual(error.cycle, ['x', 'y', 'x']);
      return true;
    },
  );
});

test('a cycle behind a shared dependency is still found', () => {
  assert.throws(
    () => buildOrder({ a: ['s'], b: ['s', 'c'], c: ['b'] }),
    { message: 'cycle: b -> c -> b' },
  );
});
