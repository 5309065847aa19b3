// Where runs are kept: on SQLite, or in memory.

export { machineClock } from "./clock.ts";
export * from "./control.ts";
export { whileLocked } from "./file-lock.ts";
export { FileStore } from "./file-store.ts";
export { MemoryJournal } from "./memory.ts";
export { MemoryStore } from "./memory-store.ts";
export { lifeOf, thisProcess } from "./process-id.ts";
export { releaseRuns } from "./release.ts";
export { RunFolders } from "./run-folder.ts";
export { SqliteConnection } from "./sqlite/connection.ts";
export { SqliteJournal } from "./sqlite.ts";
export { type Verification, verifyRun } from "./verify.ts";
