// Run folders with a report in each: it is made anew whenever its run stops.

import {
  type Json,
  type LoopPackage,
  type ProjectPorts,
  Reader,
  type RunRecord,
  type RunView,
  summarize,
} from "@loopwright/core/look";
import { readStory } from "./story.ts";

type WordsOf = (loop: string) => Promise<Pick<LoopPackage, "notes" | "steps" | "gates" | "legends" | "passesAt">>;

/** What is shown of runs in a project's folders. */
export function reportedFolders(ports: ProjectPorts, wordsOf: WordsOf): RunView {
  const { folders } = ports;
  return {
    saved: (folder, artifact) => folders.saved(folder, artifact),
    async show(record, input, stopped) {
      await folders.show(record, input, stopped);
      if (!stopped) return;
      try {
        await folders.write(record.folder, "report.html", await reportOf(ports, wordsOf, record, input));
      } catch (error) {
        process.emitWarning(`no report of run ${record.run} could be made (${(error as Error).message})`);
      }
    },
  };
}

async function reportOf(ports: ProjectPorts, wordsOf: WordsOf, record: RunRecord, input: Json): Promise<string> {
  // Loaded at the first stop: commands that only look are quicker without it.
  const { nextSteps, writeReport } = await import("./index.ts");
  const { steps, gates, ...words } = await wordsOf(record.loop);
  const reader = new Reader(ports);
  const chain = await reader.chain(record);
  const below = await ports.journal.runs(`${record.run}.`);
  const others = await Promise.all(below.map((run) => reader.record(run)));
  return writeReport({
    ...(await readStory(reader, chain.slice(0, chain.indexOf(record) + 1))),
    ...words,
    input,
    load: (artifact) => reader.load(artifact),
    next: nextSteps(record, { steps, gates }),
    children: others
      .filter(({ parent }) => parent?.run === record.run)
      .map((child) => ({ run: child.run, folder: child.folder, ...summarize(child) })),
  });
}
