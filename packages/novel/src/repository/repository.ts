// The repository of a project, as its loop and its commands use it.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { LoopwrightError, UsageError, whileLocked } from "@loopwright/core";
import { runUserGit, tryUserGit } from "@loopwright/git";
import { commitFirst, commitHandEdit, commitIteration } from "./commits.ts";
import { findDirty, toHandEdits } from "./hand-edits.ts";
import { readIterations, wordsOf } from "./log.ts";
import { findText, lastCommitOf } from "./old-texts.ts";
import { findPlace, headOf, type Place } from "./place.ts";
import { changeOf, fileAt, lastText } from "./read.ts";
import { describeMissing, describeState, isShared } from "./state.ts";
import { takeStep } from "./steps.ts";
import { ownFolder, sweepDrafts } from "./transaction/draft.ts";
import { HOOK_LIMIT } from "./transaction/hooks.ts";
import { readMark } from "./transaction/mark.ts";
import { settle } from "./transaction/transaction.ts";
import type { CommittedHandEdit, Repository } from "./types.ts";
import { withoutChange } from "./undo-file.ts";

/** Opens the repository of a project's folder. What a process that died left half done is completed first. */
export async function openRepository(folder: string): Promise<Repository> {
  const found = await findPlace(folder);
  let place = "fault" in found ? undefined : found;
  if (place) await settleLeft(place);

  /** The repository, ready for use: a process that died meanwhile is tidied up after. */
  async function ready(): Promise<Place> {
    if (!place) throw new UsageError("REPOSITORY_STATE", describeMissing(folder, "fault" in found ? found.fault : ""));
    await settleLeft(place);
    return place;
  }

  async function check(): Promise<string | undefined> {
    if (!place) {
      const again = await findPlace(folder);
      if ("fault" in again) return describeMissing(folder, again.fault);
      place = again;
    }
    return describeState(await ready());
  }

  /** Commits something while no other process of ours does. */
  async function changing<Result>(act: (place: Place) => Promise<Result>): Promise<Result> {
    const problem = await check();
    if (problem !== undefined) throw new UsageError("REPOSITORY_STATE", problem);
    const here = await ready();
    return whileOurs(here, async () => {
      await settle(here);
      await sweepDrafts(here);
      return act(here);
    });
  }

  return {
    folder,
    check,
    async initialize() {
      if (!place || (place.prefix !== "" && !(await isShared(place)))) {
        await initialize(folder);
        const made = await findPlace(folder);
        if ("fault" in made) throw new LoopwrightError("GIT_FAILED", describeMissing(folder, made.fault));
        place = made;
      }
      if ((await headOf(place)) === undefined) await changing(commitFirst);
    },
    async handEdits() {
      return toHandEdits(await findDirty(await ready()));
    },
    commitHandEdits: () =>
      changing(async (here) => {
        if ((await headOf(here)) === undefined) return commitFirst(here);
        const dirty = await findDirty(here);
        const committed: CommittedHandEdit[] = [];
        for (const edit of toHandEdits(dirty)) committed.push(...(await commitHandEdit(here, edit, dirty)));
        return committed;
      }),
    commitIteration: (commit) => changing((here) => commitIteration(here, commit)),
    undo: () => changing((here) => takeStep(here, "undo")).catch(toRefusal),
    redo: () => changing((here) => takeStep(here, "redo")).catch(toRefusal),
    async withoutChange(sha, path) {
      return withoutChange(await ready(), sha, path);
    },
    async iterations() {
      return (await readIterations(await ready())).all;
    },
    async shas() {
      const { all } = await readIterations(await ready());
      return new Map(all.map(({ id, sha }) => [id, sha]));
    },
    async shaOf(id) {
      return (await readIterations(await ready())).all.find((each) => each.id === id)?.sha;
    },
    async wordsOf(subject) {
      return wordsOf(await ready(), subject);
    },
    async head() {
      return headOf(await ready());
    },
    async fileAt(sha, path) {
      return fileAt(await ready(), sha, path);
    },
    async findText(path, fits) {
      return findText(await ready(), path, fits);
    },
    async lastText(path) {
      return lastText(await ready(), path);
    },
    async isClean() {
      return (await findDirty(await ready())).length === 0;
    },
    async changeOf(sha) {
      return changeOf(await ready(), sha);
    },
    async lastChangeOf(fits) {
      const here = await ready();
      const { all } = await readIterations(here);
      const sha = await lastCommitOf(here, fits);
      return sha === undefined ? undefined : { id: all.find((each) => each.sha === sha)?.id ?? sha };
    },
    async lastDiff() {
      const here = await ready();
      const iteration = (await readIterations(here)).all.find(({ isUndone }) => !isUndone);
      return iteration && { iteration, files: await changeOf(here, iteration.sha) };
    },
  };
}

/** Completes what was left half done; where nothing was, this costs one look. */
async function settleLeft(place: Place): Promise<void> {
  if (await readMark(place)) await whileOurs(place, () => settle(place));
}

async function whileOurs<Result>(place: Place, act: () => Promise<Result>): Promise<Result> {
  await mkdir(ownFolder(place), { recursive: true });
  return whileLocked(join(ownFolder(place), "lock"), act, HOOK_LIMIT + 30_000);
}

/** Makes a repository in a folder, on the user's own default branch, or `main` where they have none. */
async function initialize(folder: string): Promise<void> {
  const configured = await tryUserGit(["config", "init.defaultBranch"], { folder });
  await runUserGit(["init", "--quiet", ...(configured.code === 0 ? [] : ["--initial-branch=main"]), "."], { folder });
}

/** What a person is told instead of an error. */
function toRefusal(error: unknown): { refused: string } {
  if (error instanceof UsageError) return { refused: error.message };
  throw error;
}
