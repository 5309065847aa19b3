import test from 'node:test';
import assert from 'node:assert/strict';
import { AccessControl } from './role-access.ts';

const access = new AccessControl([
  { name: 'reader', rules: [{ effect: 'allow', permission: 'docs:read' }] },
  {
    name: 'editor',
    inherits: ['reader'],
    rules: [
      { effect: 'allow', permission: 'docs:*' },
      { effect: 'deny', permission: 'docs:delete' },
    ],
  },
  { name: 'suspended', rules: [{ effect: 'deny', permission: '*' }] },
  { name: 'owner', rules: [{ effect: 'allow', permission: '*' }] },
]);

test('a rule of the role itself', () => {
  assert.equal(access.can(['reader'], 'docs:read'), true);
  assert.equal(access.can(['reader'], 'docs:write'), false);
});

test('unknown roles may do nothing', () => {
  assert.equal(access.can(['ghost'], 'docs:read'), false);
  assert.equal(access.can([], 'docs:read'), false);
});

test('wildcards cover one part', () => {
  assert.equal(access.can(['editor'], 'docs:write'), true);
  assert.equal(access.can(['editor'], 'docs:write:all'), false);
  assert.equal(access.can(['editor'], 'users:write'), false);
});

test('deny beats the wildcard before it', () => {
  assert.equal(access.can(['editor'], 'docs:delete'), false);
});

test('the owner may do anything', () => {
  assert.equal(access.can(['owner'], 'billing:refund:all'), true);
});

test('a suspended owner may do nothing', () => {
  assert.equal(access.can(['suspended', 'owner'], 'docs:read'), false);
  assert.equal(access.can(['owner', 'suspended'], 'docs:read'), false);
});
