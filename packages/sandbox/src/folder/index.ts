// A folder that a job can write, as the host sees it: opened once, stepped through by name, no link followed.

export { type EntryKind, isCode, type Name, type OpenFile, OpenFolder } from "./open-folder.ts";
export { blockerIn, lookAt, makeAndEnter, reach } from "./reach.ts";
export { listing, removeAll, removeAllNow, removing } from "./remove.ts";
export { atOnce, inSlices, type Work } from "./slices.ts";
