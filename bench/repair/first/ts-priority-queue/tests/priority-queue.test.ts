import test from 'node:test';
import assert from 'node:assert/strict';
import { PriorityQueue } from './priority-queue.ts';

const ascending = (a: number, b: number) => a - b;

test('an empty queue gives undefined', () => {
  const queue = new PriorityQueue<number>(ascending);
  assert.equal(queue.pop(), undefined);
  assert.equal(queue.peek(), undefined);
  assert.equal(queue.size, 0);
});

test('peek shows the smallest without removing it', () => {
  const queue = new PriorityQueue(ascending, [5, 2, 9]);
  assert.equal(queue.peek(), 2);
  assert.equal(queue.size, 3);
});

test('pops two items in order', () => {
  const queue = new PriorityQueue(ascending, [8, 3]);
  assert.equal(queue.pop(), 3);
  assert.equal(queue.pop(), 8);
  assert.equal(queue.size, 0);
});

test('drains in ascending order', () => {
  const queue = new PriorityQueue(ascending, [1, 2, 3, 4]);
  assert.deepEqual([...queue.drain()], [1, 2, 3, 4]);
});

test('drains shuffled numbers in ascending order', () => {
  const queue = new PriorityQueue(ascending, [7, 1, 6, 2, 5, 3, 4]);
  assert.deepEqual([...queue.drain()], [1, 2, 3, 4, 5, 6, 7]);
});

test('keeps order when pushes and pops alternate', () => {
  const queue = new PriorityQueue(ascending, [10, 20, 30]);
  queue.push(5);
  assert.equal(queue.pop(), 5);
  queue.push(25);
  assert.equal(queue.pop(), 10);
  assert.equal(queue.pop(), 20);
});
