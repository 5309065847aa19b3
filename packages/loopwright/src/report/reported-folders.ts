// Run folders with a report in each: it is made anew whenever its run stops.

import {
  type Artifact,
  type Journal,
  type Json,
  loadRecord,
  parseRow,
  type RunFolders,
  type RunRecord,
  type RunView,
  type Store,
  summarise,
} from "@loopwright/core";
import type { ChildRun } from "./index.ts";

export class ReportedFolders implements RunView {
  readonly folders: RunFolders;
  readonly #journal: Journal;
  readonly #store: Store;

  constructor(folders: RunFolders, journal: Journal, store: Store) {
    this.folders = folders;
    this.#journal = journal;
    this.#store = store;
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
    const rows = await this.#journal.read(record.run);
    return writeReport({
      record,
      input,
      events: rows.map((row) => parseRow(record.run, row)),
      load: ({ digest }) => this.#store.get(digest),
      next: nextSteps(record),
      children: await this.#childrenOf(record.run),
    });
  }

  async #childrenOf(run: string): Promise<ChildRun[]> {
    const children: ChildRun[] = [];
    for (const name of await this.#journal.runs(`${run}.`)) {
      const { record } = await loadRecord(this.#journal, name);
      const { status, score } = summarise(record);
      if (record.parent?.run === run) children.push({ run: name, folder: record.folder, status, score });
    }
    return children;
  }
}
