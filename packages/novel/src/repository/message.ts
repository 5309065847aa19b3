// Commit messages, and the trailers in them by which iterations are found again.

import { plainLines, shorten } from "../manuscript/words.ts";
import type { Part } from "./types.ts";

const LONGEST_SUBJECT = 100;

/** What a commit of ours did. */
export type Deed = "Iteration" | "Undo" | "Redo";

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
