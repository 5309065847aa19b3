import test from 'node:test';
import assert from 'node:assert/strict';
import { allPages, listPosts } from './cursor-pages.ts';

const ids = (posts: { id: number }[]) => posts.map((p) => p.id);

test('every post exactly once, one to a page', () => {
  const posts = [7, 3, 9, 1, 5].map((id) => ({ id, createdAt: 1000 }));
  assert.deepEqual([...allPages(posts, 1)].map(ids), [[9], [7], [5], [3], [1]]);
});

test('every post once for any limit', () => {
  const posts = Array.from({ length: 23 }, (_, i) => ({ id: i + 1, createdAt: Math.floor(i / 4) * 10 }));
  const expected = ids(posts).reverse();
  for (let limit = 1; limit <= 24; limit++) {
    assert.deepEqual([...allPages(posts, limit)].flat().map((p) => p.id), expected);
  }
});

test('ids need not follow the times', () => {
  const posts = [
    { id: 10, createdAt: 5 },
    { id: 2, createdAt: 9 },
    { id: 8, createdAt: 5 },
    { id: 30, createdAt: 1 },
  ];
  assert.deepEqual([...allPages(posts, 2)].map(ids), [[2, 10], [8, 30]]);
});

test('a new post between two requests does not shift the next page', () => {
  const posts = [{ id: 1, createdAt: 10 }, { id: 2, createdAt: 20 }, { id: 3, createdAt: 30 }];
  const { next } = listPosts(posts, 1);
  const page = listPosts([...posts, { id: 4, createdAt: 40 }], 2, next);
  assert.deepEqual(ids(page.items), [2, 1]);
});

test('the post under the cursor may have been deleted', () => {
  const posts = [{ id: 1, createdAt: 10 }, { id: 2, createdAt: 10 }, { id: 3, createdAt: 10 }];
  const { next } = listPosts(posts, 2);
  const page = listPosts(posts.filter((p) => p.id !== 2), 2, next);
  assert.deepEqual(ids(page.items), [1]);
});
