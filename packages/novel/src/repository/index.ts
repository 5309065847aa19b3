// The git repository of a novel project, which is its writer's own: what is committed, undone and read there.

export { commitSubject } from "./message.ts";
export { openRepository } from "./repository.ts";
export type {
  Committed,
  CommittedFile,
  CommittedHandEdit,
  HandEdit,
  Iteration,
  IterationCommit,
  Part,
  Repository,
  Step,
} from "./types.ts";
