import { test } from 'node:test';
import assert from 'node:assert/strict';
import { isHandle, linkMentions, mentions, rejectBadHandles } from './mentions.mjs';

test('a short handle after a long one', () => {
  assert.equal(isHandle('abcdefghijklmno'), true);
  assert.equal(isHandle('abc'), true);
  assert.equal(isHandle('abcdefghijklmnop'), false);
});

test('a good list has nothing to reject', () => {
  assert.deepEqual(rejectBadHandles(['gus', 'hanna', 'ivo', 'jan_1', 'Karl']), []);
});

test('upper case handles', () => {
  assert.equal(isHandle('ANNA'), true);
  assert.equal(isHandle('Bob_7'), true);
});

test('every mention is linked', () => {
  assert.equal(
    linkMentions('@Lea @max: hello @nina', (n) => `/u/${n}`),
    '<a href="/u/lea">@Lea</a> <a href="/u/max">@max</a>: hello <a href="/u/nina">@nina</a>',
  );
});

test('mentions are distinct', () => {
  assert.deepEqual(mentions('@olga @OLGA @pia @olga'), ['olga', 'pia']);
});

test('part of a word is not a handle', () => {
  assert.equal(isHandle('two words'), false);
  assert.equal(isHandle('line\nbreak'), false);
  assert.equal(isHandle(''), false);
});
