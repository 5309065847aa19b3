import test from 'node:test';
import assert from 'node:assert/strict';
import { PriorityQueue } from './priority-queue.ts';

test('a reversed comparator drains the largest first', () => {
  const queue = new PriorityQueue<number>((a, b) => b - a, [3, 11, 8, 1, 9, 4, 10]);
  assert.deepEqual([...queue.drain()], [11, 10, 9, 8, 4, 3, 1]);
});

test('orders objects by priority', () => {
  const jobs = [4, 2, 9, 7, 1, 3, 8, 6].map((priority) => ({ priority }));
  const queue = new PriorityQueue<{ priority: number }>((a, b) => a.priority - b.priority, jobs);
  assert.deepEqual([...queue.drain()].map((job) => job.priority), [1, 2, 3, 4, 6, 7, 8, 9]);
});

test('equal items are all returned', () => {
  const queue = new PriorityQueue<number>((a, b) => a - b, [2, 2, 1, 2, 1]);
  assert.deepEqual([...queue.drain()], [1, 1, 2, 2, 2]);
});

test('a longer pseudo-random sequence is sorted', () => {
  const values = Array.from({ length: 60 }, (_, i) => (i * 37 + 11) % 101);
  const queue = new PriorityQueue<number>((a, b) => a - b, values);
  assert.deepEqual([...queue.drain()], [...values].sort((a, b) => a - b));
});
