import test from 'node:test';
import assert from 'node:assert/strict';
import { Rover } from './rover.mjs';

test('turns left through every heading', () => {
  const rover = new Rover({ heading: 'E' });
  const seen = [];
  for (let i = 0; i < 6; i++) {
    rover.run('L');
    seen.push(rover.position.slice(-1));
  }
  assert.deepEqual(seen, ['N', 'W', 'S', 'E', 'N', 'W']);
});

test('forward and back is where it was', () => {
  for (const heading of ['N', 'E', 'S', 'W']) {
    const rover = new Rover({ x: 4, y: 4, heading });
    rover.run('FFBB');
    assert.equal(rover.position, `4 4 ${heading}`);
  }
});

test('a blocked reverse keeps the heading', () => {
  const rover = new Rover({ heading: 'S', obstacles: [[0, 2]] });
  assert.equal(rover.run('BBL'), 1);
  assert.equal(rover.position, '0 1 S');
});

test('a loop of left turns comes home', () => {
  const rover = new Rover();
  assert.equal(rover.run('FLFLFLFL'), 8);
  assert.equal(rover.position, '0 0 N');
});

test('mixed commands', () => {
  const rover = new Rover({ x: 1, y: 1, heading: 'W' });
  rover.run('BRFLLB');
  assert.equal(rover.position, '2 3 S');
});
