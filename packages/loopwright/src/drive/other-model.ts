// A server that answers with another model than it was asked for: said at once, whatever front end shows the run, and once for
// each pair. The run goes on, for the names of one model differ too.

import type { LoopEvent } from "@loopwright/core";

/** What to say of an event, where another model has answered than the one that was asked for; the command shows what is served. */
export function otherModels(doctor: string): (event: LoopEvent) => string | undefined {
  const told = new Set<string>();
  return (event) => {
    if (event.type !== "effect-finished") return undefined;
    const { model, details } = (event.result ?? {}) as {
      model?: unknown;
      details?: { asked?: unknown; endpoint?: unknown };
    };
    const asked = details?.asked;
    if (typeof model !== "string" || typeof asked !== "string" || isSame(asked, model)) return undefined;
    const words = `${details?.endpoint} was asked for ${asked}, and ${model} has answered`;
    if (told.has(words)) return undefined;
    told.add(words);
    return `${words}; \`${doctor}\` shows what it serves`;
  };
}

/** Whether two names are one model's: servers add a date, a maker or a path. */
export function isSame(asked: string, answered: string): boolean {
  const [a, b] = [asked, answered].map((name) => name.trim().toLowerCase());
  return a!.includes(b!) || b!.includes(a!);
}
