// The search builder's candidates: which lines to suspect, which edits to try there and in which order, and the files
// that an edit makes.

export { applyEdits } from "./apply.ts";
export type { Candidate, Edit, Program, SuspectLine } from "./candidate.ts";
export { type Improvement, listPairs } from "./pairs.ts";
export { listSingles } from "./singles.ts";
export { rankLines } from "./suspicion.ts";
