import test from 'node:test';
import assert from 'node:assert/strict';
import { createEmitter } from './event-emitter.mjs';

test('three once listeners in a row', () => {
  const emitter = createEmitter();
  const seen = [];
  for (const name of ['a', 'b', 'c']) emitter.once('e', () => seen.push(name));
  assert.equal(emitter.emit('e'), 3);
  assert.deepEqual(seen, ['a', 'b', 'c']);
  assert.equal(emitter.count('e'), 0);
});

test('a listener added while emitting waits for the next time', () => {
  const emitter = createEmitter();
  const seen = [];
  emitter.once('e', () => {
    seen.push('old');
    emitter.on('e', () => seen.push('new'));
  });
  emitter.on('e', () => seen.push('stays'));
  emitter.emit('e');
  assert.deepEqual(seen, ['old', 'stays']);
  emitter.emit('e');
  assert.deepEqual(seen, ['old', 'stays', 'stays', 'new']);
});

test('a listener that removes an earlier one', () => {
  const emitter = createEmitter();
  const seen = [];
  const first = () => seen.push(1);
  emitter.on('e', first);
  emitter.on('e', () => {
    seen.push(2);
    emitter.off('e', first);
  });
  emitter.on('e', () => seen.push(3));
  emitter.emit('e');
  emitter.emit('e');
  assert.deepEqual(seen, [1, 2, 3, 2, 3]);
});

test('listeners are called in the order added', () => {
  const emitter = createEmitter();
  const seen = [];
  for (let i = 0; i < 4; i++) emitter.on('e', () => seen.push(i));
  emitter.emit('e');
  assert.deepEqual(seen, [0, 1, 2, 3]);
});

test('a once listener that emits again is not called twice', () => {
  const emitter = createEmitter();
  const seen = [];
  emitter.once('e', () => {
    seen.push('once');
    emitter.emit('e');
  });
  emitter.on('e', () => seen.push('always'));
  emitter.emit('e');
  assert.deepEqual(seen, ['once', 'always', 'always']);
});
