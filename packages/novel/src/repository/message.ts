// Commit messages, and the trailers in them by which iterations are found again.

import { plainLines, shorten } from "../manuscript/words.ts";
import type { Part } from "./types.ts";

const LONGEST_SUBJECT = 100;

/** What a commit of ours did. */
export type Deed = "Iteration" | "Undo" | "Redo";
export const deeds: readonly Deed[] = ["Iteration", "Undo", "Redo"];

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

/** A message with its trailers, also where a hook dropped them. */
export function keepTrailers(message: string, trailers: Trailers | undefined): string {
  const text = readable(message);
  const found = trailersOf(text);
  const isThere = !trailers || (found?.deed === trailers.deed && found.id === trailers.id);
  return isThere ? `${text}\n` : `${text}\n\n${trailerLines(trailers).join("\n")}\n`;
}

/** What the last paragraph of a message says in trailers of ours. */
export function trailersOf(message: string): Trailers | undefined {
  const last =
    message
      .trimEnd()
      .split(/\n[ \t]*\n/)
      .at(-1) ?? "";
  const deed = /^Loopwright-(Iteration|Undo|Redo): (\S+)$/m.exec(last);
  if (!deed) return undefined;
  const folder = /^Loopwright-Folder: (.+)$/m.exec(last)?.[1];
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
