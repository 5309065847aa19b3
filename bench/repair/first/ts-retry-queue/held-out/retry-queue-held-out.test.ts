import test from 'node:test';
import assert from 'node:assert/strict';
import { GiveUp, RetryQueue } from './retry-queue.ts';

test('gives up after the limit and counts the attempts', async () => {
  let calls = 0;
  const queue = new RetryQueue<never>(4);
  queue.add(async () => {
    calls++;
    throw new Error('down');
  });
  assert.deepEqual(await queue.run(), [{ status: 'failed', error: 'down', attempts: 4 }]);
  assert.equal(calls, 4);
});

test('a GiveUp is not retried', async () => {
  let calls = 0;
  const queue = new RetryQueue<never>(5);
  queue.add(async () => {
    calls++;
    throw new GiveUp('no such user');
  });
  assert.deepEqual(await queue.run(), [{ status: 'failed', error: 'no such user', attempts: 1 }]);
  assert.equal(calls, 1);
});

test('a failure does not stop the tasks after it', async () => {
  const queue = new RetryQueue<string>(2);
  queue.add(() => Promise.reject(new Error('first'))).add(async (n) => `second ${n}`);
  assert.deepEqual(await queue.run(), [
    { status: 'failed', error: 'first', attempts: 2 },
    { status: 'done', value: 'second 1' },
  ]);
});

test('success on the very last attempt', async () => {
  const queue = new RetryQueue<number>(3);
  queue.add((n) => (n < 3 ? Promise.reject(new Error('wait')) : Promise.resolve(n)));
  assert.deepEqual(await queue.run(), [{ status: 'done', value: 3 }]);
});

test('tasks do not overlap while one is retried', async () => {
  const log: string[] = [];
  const queue = new RetryQueue<void>(3);
  queue.add(async (n) => {
    log.push(`a${n}`);
    await Promise.resolve();
    if (n < 3) throw new Error('again');
  });
  queue.add(async (n) => void log.push(`b${n}`));
  await queue.run();
  assert.deepEqual(log, ['a1', 'a2', 'a3', 'b1']);
});
