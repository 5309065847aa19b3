// The life of one call: it ends when its caller wants no more of it, or when nothing was heard of it for too long.

const LONGEST = 2 ** 31 - 1;

export interface Life {
  /** Aborted when the call has to end, whatever the reason. */
  readonly signal: AbortSignal;
  readonly hasStalled: boolean;
  /** Says that something was heard: any byte will do. */
  beat(): void;
  /** Ends the watch, and whatever still hangs on the signal. */
  end(): void;
}

/** Watches over a call; so many milliseconds without a beat end it. */
export function watchLife(timeout: number, caller: AbortSignal): Life {
  const ending = new AbortController();
  let hasStalled = false;
  const timer = setTimeout(
    () => {
      hasStalled = true;
      ending.abort();
    },
    // A longer timer would fire at once.
    Math.min(timeout, LONGEST),
  );
  return {
    signal: AbortSignal.any([caller, ending.signal]),
    get hasStalled() {
      return hasStalled;
    },
    beat: () => {
      if (!ending.signal.aborted) timer.refresh();
    },
    end: () => {
      clearTimeout(timer);
      ending.abort();
    },
  };
}
