export interface BucketOptions {
  capacity: number;
  /** milliseconds it takes to earn one token */
  interval: number;
  now?: () => number;
}

export class TokenBucket {
  private tokens: number;
  private updated: number;
  private capacity: number;
  private interval: number;
  private now: () => number;

  constructor({ capacity, interval, now = Date.now }: BucketOptions) {
    this.capacity = capacity;
    this.interval = interval;
    this.now = now;
    this.tokens = capacity;
    this.updated = now();
  }

  private refill(): void {
    const now = this.now();
    const earned = Math.floor((now - this.updated) / this.interval);
    if (this.tokens + earned >= this.capacity) {
      this.tokens = this.capacity;
      this.updated = now;
    } else {
      this.tokens += earned;
      this.updated += earned * this.interval;
    }
  }

  available(): number {
    this.refill();
    return this.tokens;
  }

  take(count = 1): boolean {
    this.refill();
    if (count > this.tokens) return false;
    this.tokens -= count;
    return true;
  }
}
