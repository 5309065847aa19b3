import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Emitter } from './emitter.mjs';

test('several once listeners in a row', () => {
  const bus = new Emitter();
  const seen = [];
  for (const name of ['a', 'b', 'c', 'd']) bus.once('go', (n) => seen.push(name + n));
  assert.equal(bus.emit('go', 1), 4);
  assert.equal(bus.emit('go', 2), 0);
  assert.deepEqual(seen, ['a1', 'b1', 'c1', 'd1']);
});

test('a listener added while sending waits for the next event', () => {
  const bus = new Emitter();
  let late = 0;
  const off = bus.on('go', () => {
    off();
    bus.on('go', () => late++);
  });
  assert.equal(bus.emit('go'), 1);
  assert.equal(late, 0);
  bus.emit('go');
  assert.equal(late, 1);
});

test('a listener taken off by an earlier one is still called this time', () => {
  const bus = new Emitter();
  const seen = [];
  const second = () => seen.push('second');
  bus.on('go', () => bus.off('go', second));
  bus.on('go', second);
  bus.emit('go');
  bus.emit('go');
  assert.deepEqual(seen, ['second']);
});

test('a listener that takes an earlier one off does not repeat or skip', () => {
  const bus = new Emitter();
  const seen = [];
  const first = () => seen.push(1);
  bus.on('go', first);
  bus.on('go', () => { seen.push(2); bus.off('go', first); });
  bus.on('go', () => seen.push(3));
  bus.emit('go');
  assert.deepEqual(seen, [1, 2, 3]);
  assert.equal(bus.count('go'), 2);
});

test('types do not mix', () => {
  const bus = new Emitter();
  bus.on('a', () => assert.fail());
  assert.equal(bus.emit('b'), 0);
});
