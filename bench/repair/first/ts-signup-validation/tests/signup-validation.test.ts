import test from 'node:test';
import assert from 'node:assert/strict';
import { validateSignups } from './signup-validation.ts';

const good = (username: string) => ({ username, email: `${username}@example.org`, age: 30 });

test('a name that is too short is reported', () => {
  const problems = validateSignups([good('al')]);
  assert.equal(problems.length, 1);
  assert.equal(problems[0].field, 'username');
  assert.match(problems[0].message, /3 to 16/);
});

test('no rows, no problems', () => {
  assert.deepEqual(validateSignups([]), []);
});

test('a bad address and a bad age are both reported', () => {
  const problems = validateSignups([{ username: 'No Good', email: 'nowhere', age: '12' }]);
  assert.deepEqual(problems.map((p) => p.field), ['username', 'email', 'age']);
});

test('several good rows in one batch', () => {
  assert.deepEqual(validateSignups([good('maria'), good('jo_42'), good('pete')]), []);
});

test('the row of a problem is given', () => {
  const problems = validateSignups([good('x'), { ...good('1st'), age: 'old' }]);
  assert.deepEqual(problems.map((p) => [p.row, p.field]), [[0, 'username'], [1, 'username'], [1, 'age']]);
});
