export interface RetryOptions {
  attempts: number;
  baseDelay?: number;
  maxDelay?: number;
  retryOn?: (error: unknown) => boolean;
  sleep?: (ms: number) => Promise<void>;
}

const defaultSleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function backoff(attempt: number, base: number, max: number): number {
  return Math.min(base * 2 ** (attempt - 1), max);
}

/** Runs a task until it succeeds, at most `attempts` times. */
export async function retry<T>(
  task: (attempt: number) => T | Promise<T>,
  { attempts, baseDelay = 100, maxDelay = 5000, retryOn = () => true, sleep = defaultSleep }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return task(attempt);
    } catch (error) {
      if (attempt >= attempts || !retryOn(error)) throw error;
      await sleep(backoff(attempt, baseDelay, maxDelay));
    }
  }
}
