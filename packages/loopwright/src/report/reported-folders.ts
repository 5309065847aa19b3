// Run folders with a report in each: it is made anew whenever its run stops.

import {
  type Artifact,
  type Journal,
  type Json,
  type LoopPackage,
  Reader,
  type RunFolders,
  type RunRecord,
  type RunView,
  type Store,
  summarize,
} from "@loopwright/core/look";
import type { ChildRun } from "./index.ts";
import { readStory } from "./story.ts";

/** A loop's own words. */
type WordsOf = (loop: string) => Promise<Pick<LoopPackage, "notes" | "steps" | "legends" | "passesAt">>;

export class ReportedFolders implements RunView {
  readonly folders: RunFolders;
  readonly #ports: { journal: Journal; store: Store };
  readonly #wordsOf: WordsOf;

  constructor(folders: RunFolders, journal: Journal, store: Store, wordsOf: WordsOf) {
    this.folders = folders;
    this.#ports = { journal, store };
    this.#wordsOf = wordsOf;
  }

  saved(folder: string, artifact: Artifact): Promise<void> {
    return this.folders.saved(folder, artifact);
  }

  async show(record: RunRecord, input: Json, stopped: boolean): Promise<void> {
    await this.folders.show(record, input, stopped);
    if (!stopped) return;
    try {
      await this.folders.write(record.folder, "report.html", await this.#report(record, input));
    } catch (error) {
      process.emitWarning(`no report of run ${record.run} could be made (${(error as Error).message})`);
    }
  }

  async #report(record: RunRecord, input: Json): Promise<string> {
    // Loaded at the first stop: commands that only look are quicker without it.
    const { nextSteps, writeReport } = await import("./index.ts");
    const { notes, steps, legends, passesAt } = await this.#wordsOf(record.loop);
    const reader = new Reader(this.#ports);
    const chain = await reader.chain(record);
    return writeReport({
      ...(await readStory(reader, chain.slice(0, chain.indexOf(record) + 1))),
      input,
      load: (artifact) => reader.load(artifact),
      notes,
      ...(legends && { legends }),
      ...(passesAt && { passesAt }),
      next: nextSteps(record, steps ? { steps } : {}),
      children: await this.#childrenOf(record.run),
    });
  }

  async #childrenOf(run: string): Promise<ChildRun[]> {
    const children: ChildRun[] = [];
    for (const name of await this.#ports.journal.runs(`${run}.`)) {
      const record = await new Reader(this.#ports).record(name);
      const { status, score } = summarize(record);
      if (record.parent?.run === run) children.push({ run: name, folder: record.folder, status, score });
    }
    return children;
  }
}
