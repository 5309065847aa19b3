import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { Emitter } from './emitter.mjs';

describe('Emitter', () => {
  it('calls listeners in order with the arguments', () => {
    const bus = new Emitter();
    const seen = [];
    bus.on('x', (a) => seen.push(['first', a]));
    bus.on('x', (a) => seen.push(['second', a]));
    assert.equal(bus.emit('x', 7), 2);
    assert.deepEqual(seen, [['first', 7], ['second', 7]]);
  });

  it('has nobody to call', () => {
    assert.equal(new Emitter().emit('nothing'), 0);
  });

  it('takes a listener off', () => {
    const bus = new Emitter();
    const off = bus.on('x', () => {});
    assert.equal(off(), true);
    assert.equal(off(), false);
    assert.equal(bus.count('x'), 0);
  });

  it('calls a once listener once', () => {
    const bus = new Emitter();
    let calls = 0;
    bus.once('x', () => calls++);
    bus.emit('x');
    bus.emit('x');
    assert.equal(calls, 1);
  });

  it('calls those that follow a once listener', () => {
    const bus = new Emitter();
    const seen = [];
    bus.once('x', () => seen.push('once'));
    bus.on('x', () => seen.push('always'));
    bus.emit('x');
    assert.deepEqual(seen, ['once', 'always']);
  });
});
