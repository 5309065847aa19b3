// Engines as they are measured: on a journal in a file, with a store in memory, and a run folder where it is asked for.

import { join } from "node:path";
import {
  Engine,
  FileStore,
  type Journal,
  machineClock,
  type Ports,
  RunFolders,
  SqliteJournal,
  thisProcess,
} from "@loopwright/core";
import { MemoryStore } from "@loopwright/core/testing";

/** The ceilings of a run that stops after so many iterations; all others are the defaults. */
export function ceilings(iterations: number) {
  return { iterations };
}

/** The ports of an engine on a journal. */
export function portsOn(journal: Journal): Ports {
  return { journal, store: new MemoryStore(), clock: machineClock, process: thisProcess() };
}

/** An engine on the journal in a file. */
export async function engineOn(path: string): Promise<Engine> {
  return new Engine(portsOn(await SqliteJournal.open(path)));
}

/** The same with files in a store and a folder for people. */
export async function engineWithFolder(path: string, folder: string): Promise<Engine> {
  const store = new FileStore(join(folder, "files"));
  const view = new RunFolders(join(folder, "runs"), store, join(folder, "drafts"));
  return new Engine({ ...portsOn(await SqliteJournal.open(path)), store, view });
}
