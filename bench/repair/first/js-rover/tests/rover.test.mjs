import test from 'node:test';
import assert from 'node:assert/strict';
import { Rover } from './rover.mjs';

test('starts where it is put', () => {
  assert.equal(new Rover().position, '0 0 N');
  assert.equal(new Rover({ x: 3, y: -2, heading: 'W' }).position, '3 -2 W');
});

test('drives forward', () => {
  const rover = new Rover();
  assert.equal(rover.run('FFF'), 3);
  assert.equal(rover.position, '0 3 N');
});

test('turns right all the way round', () => {
  const rover = new Rover();
  rover.run('RRRRR');
  assert.equal(rover.position, '0 0 E');
});

test('turns left from north', () => {
  const rover = new Rover();
  rover.run('LF');
  assert.equal(rover.position, '-1 0 W');
});

test('backs up without turning', () => {
  const rover = new Rover({ heading: 'E' });
  rover.run('BB');
  assert.equal(rover.position, '-2 0 E');
});

test('stops before an obstacle', () => {
  const rover = new Rover({ obstacles: [[0, 2]] });
  assert.equal(rover.run('FFR'), 1);
  assert.equal(rover.position, '0 1 N');
});

test('refuses unknown commands', () => {
  assert.throws(() => new Rover().run('FX'), /unknown command X/);
});
