import test from 'node:test';
import assert from 'node:assert/strict';
import { allPages, listPosts } from './cursor-pages.ts';

const post = (id: number, createdAt: number) => ({ id, createdAt });
const ids = (posts: { id: number }[]) => posts.map((p) => p.id);

test('the first page holds the newest', () => {
  const page = listPosts([post(1, 100), post(2, 300), post(3, 200)], 2);
  assert.deepEqual(ids(page.items), [2, 3]);
  assert.equal(typeof page.next, 'string');
});

test('the next page goes on after the cursor', () => {
  const posts = [post(1, 100), post(2, 300), post(3, 200)];
  const page = listPosts(posts, 2, listPosts(posts, 2).next);
  assert.deepEqual(ids(page.items), [1]);
  assert.equal(page.next, null);
});

test('a page that is exactly full is the last', () => {
  assert.equal(listPosts([post(1, 1), post(2, 2)], 2).next, null);
});

test('no posts at all', () => {
  assert.deepEqual(listPosts([], 5), { items: [], next: null });
});

test('posts of the same moment are not lost between pages', () => {
  const posts = [post(1, 50), post(2, 50), post(3, 50), post(4, 60)];
  assert.deepEqual([...allPages(posts, 2)].map(ids), [[4, 3], [2, 1]]);
});

test('the limit must be positive', () => {
  assert.throws(() => listPosts([], 0), RangeError);
});
