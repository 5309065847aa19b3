// Iterations as the log tells them: made, undone, done again. Nothing is kept beside git, so whatever a person does to
// the history by hand (a reset, a revert, a rebase) is what holds.

import { revertedBy, type Trailers, trailersOf } from "./message.ts";
import { askGit, type Place } from "./place.ts";
import type { Iteration } from "./types.ts";

/** A commit that tells of an iteration. */
export interface Logged {
  sha: string;
  date: string;
  message: string;
}

/** An iteration in effect, and the commit that brought it last; or undone, and the commit that took it back. */
export interface Standing {
  id: string;
  by: string;
}

export interface Iterations {
  /** Newest first. */
  all: Iteration[];
  /** In effect, oldest first. */
  done: Standing[];
  /** Undone with no iteration since, the last one undone at the end. */
  undone: Standing[];
}

/** Reads all iterations of a project, in one call. */
export async function readIterations(place: Place): Promise<Iterations> {
  const patterns = ["^Loopwright-(Iteration|Undo|Redo): ", "^This reverts commit [0-9a-f]"];
  // Before the first commit there is no log.
  const output = await askGit(place, [
    "log",
    "-z",
    "--topo-order",
    "--encoding=UTF-8",
    "--no-mailmap",
    "--extended-regexp",
    ...patterns.map((pattern) => `--grep=${pattern}`),
    "--format=%H%x00%aI%x00%B",
    "HEAD",
  ]);
  const fields = (output ?? "").split("\0");
  const commits: Logged[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3)
    commits.push({ sha: fields[at]!, date: fields[at + 1]!, message: fields[at + 2]! });
  return tellIterations(commits.reverse(), place.prefix);
}

/** The body of the last iteration whose subject begins so, without its trailers. */
export async function wordsOf(place: Place, subject: string): Promise<string> {
  const find = ["--fixed-strings", `--grep=${subject}`, "--encoding=UTF-8", "-z", "--format=%B", "HEAD"];
  const messages = ((await askGit(place, ["log", "-n", "20", ...find])) ?? "").split("\0");
  const own = messages.find((message) => {
    const trailers = message.startsWith(subject) ? trailersOf(message) : undefined;
    return trailers?.deed === "Iteration" && (trailers.folder ?? "") === place.prefix;
  });
  const paragraphs = (own ?? "").trimEnd().split(/\n[ \t]*\n/);
  const said = paragraphs.slice(1).filter((each) => trailersOf(each) === undefined);
  return said.join("\n\n").trim();
}

/** What commits, oldest first, tell of a project's iterations. */
export function tellIterations(commits: readonly Logged[], folder: string): Iterations {
  const made = new Map<string, Iteration>();
  const done: Standing[] = [];
  let undone: Standing[] = [];
  for (const { sha, date, message } of commits) {
    const deed = deedOf(message, folder, done, undone);
    if (!deed) continue;
    const { id } = deed;
    if (deed.deed === "Undo") {
      if (takeOut(done, id)) undone.push({ id, by: sha });
    } else if (deed.deed === "Redo") {
      if (takeOut(undone, id)) done.push({ id, by: sha });
    } else {
      takeOut(done, id);
      done.push({ id, by: sha });
      undone = [];
      made.set(id, { id, sha, date, subject: message.split("\n", 1)[0]!, isUndone: false });
    }
  }
  const inEffect = new Set(done.map(({ id }) => id));
  const all = [...made.values()].reverse().map((each) => ({ ...each, isUndone: !inEffect.has(each.id) }));
  return { all, done, undone };
}

/** What a commit did; `git revert` of one of ours is an undo, and of that revert a redo. */
function deedOf(
  message: string,
  folder: string,
  done: readonly Standing[],
  undone: readonly Standing[],
): Trailers | undefined {
  const trailers = trailersOf(message);
  if (trailers) return (trailers.folder ?? "") === folder ? trailers : undefined;
  const reverted = revertedBy(message);
  const [taken, back] = [done, undone].map((list) => list.find(({ by }) => by === reverted));
  if (taken) return { deed: "Undo", id: taken.id };
  return back && { deed: "Redo", id: back.id };
}

function takeOut(list: Standing[], id: string): boolean {
  const at = list.findLastIndex((each) => each.id === id);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}
