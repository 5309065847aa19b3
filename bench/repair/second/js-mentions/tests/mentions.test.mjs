import { test } from 'node:test';
import assert from 'node:assert/strict';
import { isHandle, linkMentions, mentions, rejectBadHandles } from './mentions.mjs';

test('no mention', () => {
  assert.deepEqual(mentions('nothing here, mail me at a@b.c'), []);
});

test('bad handles', () => {
  assert.equal(isHandle('ab'), false);
  assert.equal(isHandle('9lives'), false);
  assert.equal(isHandle('way_too_long_for_us'), false);
});

test('a handle is a handle each time', () => {
  assert.equal(isHandle('anna'), true);
  assert.equal(isHandle('anna'), true);
});

test('several mentions', () => {
  assert.deepEqual(mentions('@anna and @Boris, see @carla.'), ['anna', 'boris', 'carla']);
});

test('links', () => {
  assert.equal(linkMentions('hi @x1', (n) => `/${n}`), 'hi @x1');
});

test('only the bad ones are rejected', () => {
  assert.deepEqual(rejectBadHandles(['dora', 'e', 'fritz']), ['e']);
});
