export interface Post {
  id: number;
  createdAt: number;
}

export interface Page<T> {
  items: T[];
  next: string | null;
}

// newest first; the id decides between posts of the same moment
const newestFirst = (a: Post, b: Post): number => b.createdAt - a.createdAt || b.id - a.id;

function encodeCursor(post: Post): string {
  return btoa(JSON.stringify(post.createdAt));
}

function decodeCursor(cursor: string): number {
  return JSON.parse(atob(cursor));
}

export function listPosts<T extends Post>(posts: T[], limit: number, cursor?: string | null): Page<T> {
  if (limit < 1) throw new RangeError('limit must be positive');
  let rest = [...posts].sort(newestFirst);
  if (cursor) {
    const last = decodeCursor(cursor);
    rest = rest.filter((post) => post.createdAt < last);
  }
  const items = rest.slice(0, limit);
  const more = rest.length > limit;
  return { items, next: more ? encodeCursor(items[items.length - 1]) : null };
}

export function* allPages<T extends Post>(posts: T[], limit: number): Generator<T[]> {
  let cursor: string | null = null;
  do {
    const page: Page<T> = listPosts(posts, limit, cursor);
    yield page.items;
    cursor = page.next;
  } while (cursor);
}
