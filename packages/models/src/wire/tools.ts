// Tools at endpoints that may not have them: one that refuses them is asked again without, and is asked so from there on.

import { isRefusal } from "../model/ladder.ts";
import type { Exchange } from "./sdk-wire.ts";
import type { WireAnswer } from "./wire.ts";

export interface Tools {
  /** Asks with the exchange's tools; where they are refused, without, and the first such answer says so. */
  offer(
    exchange: Exchange,
    ask: () => Promise<WireAnswer>,
    askWithout: (exchange: Exchange) => Promise<WireAnswer>,
  ): Promise<WireAnswer>;
}

/** Remembers who refuses tools, for as long as it lives. */
export function openTools(): Tools {
  const refusing = new Set<string>();
  return {
    async offer(exchange, ask, askWithout) {
      const { tools: _, ...request } = exchange.request;
      const key = JSON.stringify([request.endpoint, request.model]);
      const without = { ...exchange, request };
      if (refusing.has(key)) return askWithout(without);
      try {
        return await ask();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const answer = await askWithout(without);
        // Only now is it known that the tools were at fault.
        refusing.add(key);
        return { ...answer, toolsRefused: error.message };
      }
    },
  };
}
