// Retries: another try after a failure that may pass, with waits on the run's clock.

import type { RetryPolicy } from "../configuration/configuration.ts";
import { WireError } from "../wire/wire.ts";

/** The longest that a server can make us wait, in seconds. */
const LONGEST_WAIT = 600;

/** What went wrong at a try, and the seconds until the next; undefined where there is none. */
export type OnFailure = (error: WireError, wait: number | undefined) => void;

/** The seconds to wait after a failure: the policy's, or longer where the server asks for it. */
export function waitAfter(error: WireError, failures: number, { waits }: RetryPolicy): number | undefined {
  const wait = waits[failures - 1];
  if (wait === undefined || !error.isRetryable) return undefined;
  return Math.max(wait, Math.min(error.retryAfter || 0, LONGEST_WAIT));
}

/** Tries until there is a result; throws what the last try failed on. Anything but a WireError is thrown at once. */
export async function retry<Result>(
  policy: RetryPolicy,
  makeTry: () => Promise<Result>,
  wait: (ms: number) => Promise<void>,
  onFailure: OnFailure,
): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await makeTry();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const seconds = waitAfter(error, failures, policy);
      onFailure(error, seconds);
      if (seconds === undefined) throw error;
      await wait(seconds * 1000);
    }
  }
}
