// Commit messages, and iterations as the log tells them by their trailers: made, undone, done again. Nothing is kept beside git, so whatever a person does to
// the history by hand (a reset, a revert, a rebase) is what holds.

import { plainLines, shorten } from "../manuscript/words.ts";
import { askGit, type Place } from "./place.ts";
import type { Iteration, Part } from "./types.ts";

/** A commit that tells of an iteration. */
interface Logged {
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

const LONGEST_SUBJECT = 100;

/** What a commit of ours did. */
type Deed = "Iteration" | "Undo" | "Redo";

/** The facts that a message carries for readers that are programs. */
export interface Trailers {
  deed: Deed;
  /** The iteration's id. */
  id: string;
  /** The project's folder, where the repository holds more than it. */
  folder?: string | undefined;
}

/** A commit's subject: `[chapters] Make chapter 3 darker`. One line, cut between words where it is long. */
export function commitSubject(part: Part, words: string): string {
  return shorten(`[${part}] ${words}`, LONGEST_SUBJECT);
}

/** The subject of a commit that undoes or redoes another: `[chapters] undo: Make chapter 3 darker`. */
export function stepSubject(step: "undo" | "redo", subject: string): string {
  const [, mark = "", words = subject] = /^(\[[^\]]*\] )?(.*)$/s.exec(subject) ?? [];
  return shorten(`${mark}${step}: ${words}`, LONGEST_SUBJECT);
}

/** A whole message. Trailers stand in a paragraph of their own, the last one, so that no feedback can be taken for them. */
export function composeMessage(subject: string, body = "", trailers?: Trailers): string {
  const head = shorten(readable(subject), Number.POSITIVE_INFINITY) || "change";
  const paragraphs = [head, readable(body), trailers ? trailerLines(trailers).join("\n") : ""];
  return `${paragraphs.filter((each) => each !== "").join("\n\n")}\n`;
}

/** What a message says in trailers of ours: the last ones, for feedback stands above, and hooks add lines below. */
export function trailersOf(message: string): Trailers | undefined {
  const deed = [...message.matchAll(/^Loopwright-(Iteration|Undo|Redo): (\S+)$/gm)].at(-1);
  if (!deed) return undefined;
  const folder = /^\nLoopwright-Folder: (.+)$/m.exec(message.slice(deed.index + deed[0].length))?.[1];
  return { deed: deed[1] as Deed, id: deed[2]!, folder };
}

/** The commit that a message of `git revert` names. */
export function revertedBy(message: string): string | undefined {
  return /^This reverts commit ([0-9a-f]{40,64})\b/m.exec(message)?.[1];
}

function trailerLines({ deed, id, folder }: Trailers): string[] {
  return [`Loopwright-${deed}: ${id}`, ...(folder ? [`Loopwright-Folder: ${folder}`] : [])];
}

/** Text without control characters, space at line ends and empty lines around it. */
function readable(text: string): string {
  return plainLines(text)
    .replace(/[\p{Cc}\p{Cs}]/gu, (sign) => (sign === "\n" || sign === "\t" ? sign : ""))
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
