import test from 'node:test';
import assert from 'node:assert/strict';
import { AccessControl } from './role-access.ts';

test('a deny in an inherited role still counts', () => {
  const access = new AccessControl([
    { name: 'base', rules: [{ effect: 'deny', permission: 'server:shutdown' }] },
    { name: 'operator', inherits: ['base'], rules: [{ effect: 'allow', permission: 'server:*' }] },
  ]);
  assert.equal(access.can(['operator'], 'server:shutdown'), false);
  assert.equal(access.can(['operator'], 'server:restart'), true);
});

test('the order of the rules does not matter', () => {
  const rules = [
    { effect: 'deny' as const, permission: 'a:b' },
    { effect: 'allow' as const, permission: 'a:*' },
  ];
  for (const order of [rules, [...rules].reverse()]) {
    const access = new AccessControl([{ name: 'r', rules: order }]);
    assert.equal(access.can(['r'], 'a:b'), false);
    assert.equal(access.can(['r'], 'a:c'), true);
  }
});

test('a deny that does not match does no harm', () => {
  const access = new AccessControl([
    { name: 'r', rules: [{ effect: 'deny', permission: 'x:y' }, { effect: 'allow', permission: 'x:z' }] },
  ]);
  assert.equal(access.can(['r'], 'x:z'), true);
  assert.equal(access.can(['r'], 'x:w'), false);
});

test('roles that inherit from each other', () => {
  const access = new AccessControl([
    { name: 'a', inherits: ['b'], rules: [{ effect: 'allow', permission: 'p:*' }] },
    { name: 'b', inherits: ['a'], rules: [{ effect: 'deny', permission: '*:q' }] },
  ]);
  assert.equal(access.can(['a'], 'p:q'), false);
  assert.equal(access.can(['b'], 'p:r'), true);
});

test('a deny in the second of two roles', () => {
  const access = new AccessControl([
    { name: 'staff', rules: [{ effect: 'allow', permission: 'door:open' }] },
    { name: 'night', rules: [{ effect: 'deny', permission: 'door:open' }] },
  ]);
  assert.equal(access.can(['staff'], 'door:open'), true);
  assert.equal(access.can(['staff', 'night'], 'door:open'), false);
});
