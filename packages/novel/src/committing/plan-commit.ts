// The commit of an iteration: worked out first and recorded, then made of the record.

import type { Artifact, EffectContext } from "@loopwright/core";
import { joinTexts } from "../diff/join.ts";
import { changeBetween, type Downstream, openManuscript } from "../manuscript/index.ts";
import { type IterationCommit, openRepository } from "../repository/index.ts";
import { saveText } from "../saved.ts";
import type { FileBlock } from "../types.ts";
import { withFiles } from "../writing/standing.ts";
import { planChange, type Stepped } from "./plan-change.ts";
import { orRefusal } from "./refusals.ts";

/** What is to be committed, as it is recorded. */
export interface CommitPlan {
  change: Artifact;
  /** The commit that it was worked out on. */
  on: string;
  files: number;
  removed: number;
  history: number;
  culled: Downstream[];
}

/** A plan; or the files of the iteration that a person edited meanwhile; or why there can be no commit. */
export type Planned =
  | { refused: string; edited?: undefined }
  | { refused?: undefined; edited: string[]; canJoin: boolean }
  | { refused?: undefined; edited?: undefined; plan: CommitPlan };

/** What a commit is worked out from. */
export interface Accepted extends Stepped {
  /** The level as it was when the iteration began. */
  before: readonly FileBlock[];
}

/** What becomes of files that a person edited meanwhile: they are named, joined with what was accepted, or written over. */
export type Edits = "named" | "joined" | "overwritten";

/** Commits hand edits on their own, and works out what the iteration's commit holds. */
export function planCommit(
  folder: string,
  { before, ...stepped }: Accepted,
  effect: EffectContext,
  edits: Edits,
): Promise<Planned> {
  return orRefusal(async () => {
    const repository = await openRepository(folder);
    const refused = await repository.check();
    if (refused !== undefined) return { refused };
    await repository.commitHandEdits();
    const manuscript = await openManuscript(folder);
    const now = await manuscript.read(stepped.task.target);
    const accepted = onTopOf(now, before, stepped.files);
    const edited = edits === "overwritten" ? [] : bothChanged(before, now, accepted);
    const joined = joinEdited(edited, before, now, accepted);
    if (edited.length > 0 && (edits === "named" || !joined)) return { edited, canJoin: joined !== undefined };
    const files = joined ? withFiles(accepted, joined) : accepted;
    const { change, ...figures } = await planChange(manuscript, { ...stepped, files });
    const saved = await saveText(effect, "change.json", change);
    return { plan: { ...figures, change: saved, on: (await repository.head()) ?? "" } };
  });
}

/** The commit; or, where a hook or the repository's state refuses it, why. Nothing is changed then. */
export type Committed = { refused: string } | { refused?: undefined; sha: string };

/** Makes the commit, or completes it where it was made already. */
export function makeCommit(folder: string, commit: IterationCommit): Promise<Committed> {
  return orRefusal(async () => ({ sha: (await (await openRepository(folder)).commitIteration(commit)).sha }));
}

/** The level as it is now with what the iteration changed: a file that it left alone stays as a person edited it. */
function onTopOf(now: readonly FileBlock[], before: readonly FileBlock[], files: readonly FileBlock[]): FileBlock[] {
  const { write, remove } = changeBetween(before, files);
  const left = now.filter(({ path }) => !remove.includes(path));
  return withFiles(left, write);
}

/** Files with what was accepted and what a person changed in them meanwhile; undefined where the two meet in one of them. */
function joinEdited(paths: readonly string[], ...versions: (readonly FileBlock[])[]): FileBlock[] | undefined {
  const joined = paths.flatMap((path) => {
    const [base, theirs, mine] = versions.map((files) => files.find((file) => file.path === path)?.content);
    const isText = base !== undefined && theirs !== undefined && mine !== undefined && path.endsWith(".md");
    const content = isText ? joinTexts(base, mine, theirs) : undefined;
    return content === undefined ? [] : [{ path, content }];
  });
  return joined.length === paths.length ? joined : undefined;
}

/** The files that are not as they were, byte for byte, and that the iteration would write or remove. */
function bothChanged(before: readonly FileBlock[], now: readonly FileBlock[], files: readonly FileBlock[]): string[] {
  const [old, current] = [before, now].map((each) => new Map(each.map(({ path, content }) => [path, content])));
  const { write, remove } = changeBetween(now, files);
  return [...write.map(({ path }) => path), ...remove].filter((path) => old!.get(path) !== current!.get(path));
}
