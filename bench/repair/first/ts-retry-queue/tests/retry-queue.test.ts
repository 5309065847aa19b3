import test from 'node:test';
import assert from 'node:assert/strict';
import { RetryQueue } from './retry-queue.ts';

test('an empty queue has no outcomes', async () => {
  assert.deepEqual(await new RetryQueue().run(), []);
});

test('tasks run in order', async () => {
  const log: string[] = [];
  const queue = new RetryQueue<number>();
  queue.add(async () => (log.push('a'), 1)).add(async () => (log.push('b'), 2));
  assert.deepEqual(await queue.run(), [
    { status: 'done', value: 1 },
    { status: 'done', value: 2 },
  ]);
  assert.deepEqual(log, ['a', 'b']);
});

test('a task that fails once is tried again', async () => {
  const queue = new RetryQueue<string>();
  queue.add(async (attempt) => {
    if (attempt === 1) throw new Error('flaky');
    return `ok on ${attempt}`;
  });
  assert.deepEqual(await queue.run(), [{ status: 'done', value: 'ok on 2' }]);
});

test('a task that throws at once is tried again', async () => {
  const queue = new RetryQueue<string>();
  queue.add((attempt) => {
    if (attempt < 3) throw new Error('not ready');
    return Promise.resolve('ready');
  });
  assert.deepEqual(await queue.run(), [{ status: 'done', value: 'ready' }]);
});

test('the queue is empty after a run', async () => {
  const queue = new RetryQueue<number>().add(async () => 7);
  await queue.run();
  assert.deepEqual(await queue.run(), []);
});
