export type Task<T> = (attempt: number) => Promise<T>;

export type Outcome<T> =
  | { status: 'done'; value: T }
  | { status: 'failed'; error: string; attempts: number };

export class GiveUp extends Error {}

async function attempt<T>(task: Task<T>, limit: number): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return task(n);
    } catch (error) {
      if (n >= limit || error instanceof GiveUp) {
        throw Object.assign(error as Error, { attempts: n });
      }
    }
  }
}

/** Runs its tasks one after the other, each up to `limit` times. */
export class RetryQueue<T> {
  private tasks: Task<T>[] = [];
  private limit: number;

  constructor(limit = 3) {
    this.limit = limit;
  }

  add(task: Task<T>): this {
    this.tasks.push(task);
    return this;
  }

  async run(): Promise<Outcome<T>[]> {
    const outcomes: Outcome<T>[] = [];
    for (let task = this.tasks.shift(); task; task = this.tasks.shift()) {
      try {
        outcomes.push({ status: 'done', value: await attempt(task, this.limit) });
      } catch (error) {
        const { message, attempts } = error as Error & { attempts: number };
        outcomes.push({ status: 'failed', error: message, attempts });
      }
    }
    return outcomes;
  }
}
