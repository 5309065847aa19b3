// Runs that took over from one another, as the one story that they are.

import { type Journal, type RunRecord, readChain, readEvents, type StampedEvent } from "@loopwright/core";

/** How a run stands, and what happened in it and in those that it took over from. */
export async function readStory(
  ports: { journal: Journal },
  run: string,
  known?: RunRecord,
): Promise<{ record: RunRecord; events: StampedEvent[] }> {
  const chain = await readChain(ports, run);
  const until = chain.slice(0, chain.findIndex((each) => each.run === run) + 1);
  const events: StampedEvent[] = [];
  for (const each of until)
    for await (const event of readEvents(ports, each.run, { outlined: true })) events.push(event);
  const record = known ?? until.at(-1)!;
  const before = until.slice(0, -1).flatMap(({ scores }) => scores);
  return { record: before.length > 0 ? { ...record, scores: [...before, ...record.scores] } : record, events };
}
