// The commit of an iteration: worked out first and recorded, then made of the record.

import { type Artifact, type EffectContext, UsageError } from "@loopwright/core";
import { joinTexts } from "../diff/lines.ts";
import { changeBetween, type Downstream, openManuscript } from "../manuscript/index.ts";
import { openRepository } from "../repository/repository.ts";
import type { IterationCommit } from "../repository/types.ts";
import { saveText } from "../saved.ts";
import type { FileBlock } from "../types.ts";
import { withFiles } from "../writing/standing.ts";
import { planChange, type Stepped } from "./plan-change.ts";

/** What is to be committed, as it is recorded. */
export interface CommitPlan {
  change: Artifact;
  /** The commit that it was worked out on. */
  on: string;
  files: number;
  removed: number;
  history: number;
  culled: Downstream[];
  /** Files that hold what a person changed in them meanwhile as well. */
  joined: string[];
}

/** A plan; or the files that a person edited meanwhile where the iteration changes them too; or why there can be no commit. */
export type Planned =
  | { refused: string; edited?: undefined }
  | { refused?: undefined; edited: string[] }
  | { refused?: undefined; edited?: undefined; plan: CommitPlan };

/** What a commit is worked out from. */
export interface Accepted extends Stepped {
  /** The level as it was when the iteration began. */
  before: readonly FileBlock[];
}

/** Commits hand edits on their own, and works out what the iteration's commit holds. */
export function planCommit(
  folder: string,
  { before, ...stepped }: Accepted,
  effect: Pick<EffectContext, "save">,
): Promise<Planned> {
  return orRefusal(async () => {
    const repository = await openRepository(folder);
    await repository.commitHandEdits();
    const manuscript = await openManuscript(folder);
    const now = await manuscript.read(stepped.task.target);
    const { files, joined, edited } = joinEdited(before, now, stepped.files);
    if (edited.length > 0) return { edited };
    const { change, ...figures } = await planChange(manuscript, { ...stepped, files });
    const saved = await saveText(effect, "change.json", change);
    return { plan: { ...figures, change: saved, on: (await repository.head()) ?? "", joined } };
  });
}

/** The commit; or, where a hook or the repository's state refuses it, why. Nothing is changed then. */
export type Committed = { refused: string } | { refused?: undefined; sha: string };

/** Makes the commit, or finds it where it was made already. */
export function makeCommit(folder: string, commit: IterationCommit): Promise<Committed> {
  return orRefusal(async () => ({ sha: (await (await openRepository(folder)).commitIteration(commit)).sha }));
}

/**
 * A level as it is now with what was accepted on top of what it was before. A file that the iteration left alone stays as a
 * person edited it; one that both changed is joined, or named among `edited` where they meet.
 */
export function joinEdited(
  before: readonly FileBlock[],
  now: readonly FileBlock[],
  accepted: readonly FileBlock[],
): { files: FileBlock[]; joined: string[]; edited: string[] } {
  const { write, remove } = changeBetween(before, accepted);
  const files = withFiles(
    now.filter(({ path }) => !remove.includes(path)),
    write,
  );
  const onTop = changeBetween(now, files);
  const [old, current] = [before, now].map((each) => new Map(each.map(({ path, content }) => [path, content])));
  const joined: FileBlock[] = [];
  const edited: string[] = [];
  for (const path of [...onTop.write.map(({ path }) => path), ...onTop.remove]) {
    const [base, theirs] = [old!.get(path), current!.get(path)];
    if (base === theirs) continue;
    const mine = files.find((file) => file.path === path)?.content;
    const isText = base !== undefined && theirs !== undefined && mine !== undefined && path.endsWith(".md");
    const content = isText ? joinTexts(base, mine, theirs) : undefined;
    if (content === undefined) edited.push(path);
    else joined.push({ path, content });
  }
  return { files: withFiles(files, joined), joined: joined.map(({ path }) => path), edited };
}

/** What was done; where the project or its repository is not as it must be, the words that say so. */
export async function orRefusal<Done>(act: () => Promise<Done>): Promise<Done | { refused: string }> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof UsageError) return { refused: error.message };
    throw error;
  }
}
