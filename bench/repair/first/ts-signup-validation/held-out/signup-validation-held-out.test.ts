import test from 'node:test';
import assert from 'node:assert/strict';
import { validateSignups } from './signup-validation.ts';

const row = (username: string, age: number | string = 20) => ({ username, email: 'a@b.io', age });

test('reserved names are all told so', () => {
  const problems = validateSignups([row('admin'), row('root'), row('support')]);
  assert.deepEqual(problems.map((p) => p.message), ['is reserved', 'is reserved', 'is reserved']);
});

test('validating the same row twice gives the same answer', () => {
  const rows = [row('gustav')];
  const first = validateSignups(rows);
  const second = validateSignups(rows);
  const third = validateSignups(rows);
  assert.deepEqual([first, second, third], [[], [], []]);
});

test('names of the longest and shortest length', () => {
  assert.deepEqual(validateSignups([row('abc'), row('a234567890123456')]), []);
  assert.equal(validateSignups([row('a2345678901234567')]).length, 1);
});

test('names with trailing rubbish stay refused', () => {
  const problems = validateSignups([row('emil!'), row('emil anna'), row('Emil'), row('emil\nx')]);
  assert.deepEqual(problems.map((p) => p.row), [0, 1, 2, 3]);
});

test('thirteen is old enough, twelve is not', () => {
  const problems = validateSignups([row('anna', '13'), row('berta', 12), row('carla', 13.5)]);
  assert.deepEqual(problems.map((p) => [p.row, p.field]), [[1, 'age'], [2, 'age']]);
});
