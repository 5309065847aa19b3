// Progress while an answer streams: how much there is, and how fast it comes.

import type { ModelCall } from "@loopwright/core";
import { countTokens } from "../prompt/tokens.ts";

/** Milliseconds between two reports. */
const INTERVAL = 200;

/** Makes what is told the text so far; it reports at most five times a second. `now` is in milliseconds. */
export function reportProgress(
  model: string,
  report: ModelCall["progress"],
  now: () => number,
): (text: string) => void {
  let startedAt: number | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let counted = 0;
  let tokens = 0;
  return (text) => {
    const time = now();
    startedAt ??= time;
    if (time - reportedAt < INTERVAL) return;
    reportedAt = time;
    // Only what is new is counted: a long answer must not cost more with every report.
    tokens += countTokens(text.slice(counted));
    counted = text.length;
    const seconds = (time - startedAt) / 1000;
    const tokens_per_s = seconds > 0 ? Math.round((tokens / seconds) * 10) / 10 : 0;
    report({ words: text.match(/\S+/g)?.length ?? 0, tokens, tokens_per_s, model });
  };
}
