export interface Stats {
  hits: number;
  misses: number;
  evictions: number;
}

/** Least-recently-used cache; a Map keeps its keys in insertion order. */
export class LruCache<K, V> {
  private readonly entries = new Map<K, V>();
  private readonly capacity: number;
  readonly stats: Stats = { hits: 0, misses: 0, evictions: 0 };

  constructor(capacity: number) {
    if (capacity < 1) throw new RangeError("capacity must be at least 1");
    this.capacity = capacity;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    if (!this.entries.has(key)) {
      this.stats.misses++;
      return undefined;
    }
    this.stats.hits++;
    const value = this.entries.get(key)!;
    this.touch(key, value);
    return value;
  }

  set(key: K, value: V): this {
    if (!this.entries.has(key) && this.entries.size >= this.capacity) {
      const oldest = this.entries.keys().next().value as K;
      this.entries.delete(oldest);
      this.stats.evictions++;
    }
    this.touch(key, value);
    return this;
  }

  keys(): K[] {
    return [...this.entries.keys()];
  }

  private touch(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
  }
}

export function memoize<A, R>(fn: (arg: A) => R, capacity: number): (arg: A) => R {
  const cache = new LruCache<A, { result: R }>(capacity);
  return (arg) => {
    const known = cache.get(arg);
    if (known) return known.result;
    const result = fn(arg);
    cache.set(arg, { result });
    return result;
  };
}
