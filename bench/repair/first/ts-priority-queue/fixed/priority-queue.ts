export type Comparator<T> = (a: T, b: T) => number;

export class PriorityQueue<T> {
  private items: T[] = [];
  private compare: Comparator<T>;

  constructor(compare: Comparator<T>, initial: Iterable<T> = []) {
    this.compare = compare;
    for (const item of initial) this.push(item);
  }

  get size(): number {
    return this.items.length;
  }

  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    this.items.push(item);
    this.rise(this.items.length - 1);
  }

  pop(): T | undefined {
    const top = this.items[0];
    const last = this.items.pop();
    if (this.items.length > 0) {
      this.items[0] = last as T;
      this.sink(0);
    }
    return top;
  }

  *drain(): Generator<T> {
    while (this.items.length > 0) yield this.pop() as T;
  }

  private rise(index: number): void {
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.compare(this.items[index], this.items[parent]) >= 0) return;
      this.swap(index, parent);
      index = parent;
    }
  }

  private sink(index: number): void {
    const count = this.items.length;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let best = index;
      if (left < count && this.compare(this.items[left], this.items[best]) < 0) best = left;
      if (right < count && this.compare(this.items[right], this.items[best]) < 0) best = right;
      if (best === index) return;
      this.swap(index, best);
      index = best;
    }
  }

  private swap(a: number, b: number): void {
    const held = this.items[a];
    this.items[a] = this.items[b];
    this.items[b] = held;
  }
}
