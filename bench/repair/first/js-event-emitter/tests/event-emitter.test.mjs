import test from 'node:test';
import assert from 'node:assert/strict';
import { createEmitter } from './event-emitter.mjs';

test('listeners get the arguments', () => {
  const emitter = createEmitter();
  const seen = [];
  emitter.on('sum', (a, b) => seen.push(a + b));
  assert.equal(emitter.emit('sum', 2, 3), 1);
  assert.deepEqual(seen, [5]);
});

test('an event nobody listens to', () => {
  const emitter = createEmitter();
  assert.equal(emitter.emit('nothing'), 0);
  assert.equal(emitter.off('nothing', () => {}), false);
});

test('a listener can be removed', () => {
  const emitter = createEmitter();
  const seen = [];
  const remove = emitter.on('x', () => seen.push('x'));
  emitter.emit('x');
  assert.equal(remove(), true);
  emitter.emit('x');
  assert.deepEqual(seen, ['x']);
});

test('once is called once', () => {
  const emitter = createEmitter();
  let calls = 0;
  emitter.once('go', () => calls++);
  emitter.emit('go');
  emitter.emit('go');
  assert.equal(calls, 1);
  assert.equal(emitter.count('go'), 0);
});

test('a once listener does not disturb the one after it', () => {
  const emitter = createEmitter();
  const seen = [];
  emitter.once('go', () => seen.push('first'));
  emitter.on('go', () => seen.push('second'));
  assert.equal(emitter.emit('go'), 2);
  assert.deepEqual(seen, ['first', 'second']);
});

test('events are kept apart', () => {
  const emitter = createEmitter();
  const seen = [];
  emitter.on('a', () => seen.push('a'));
  emitter.on('b', () => seen.push('b'));
  emitter.emit('b');
  assert.deepEqual(seen, ['b']);
});
