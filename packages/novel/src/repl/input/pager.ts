// The detailed diff, a section at a time.

import { type DiffPiece, type DiffSection, renderHeading, renderSection } from "../../diff/index.ts";
import { shorten } from "../../manuscript/words.ts";
import { type Output, safeText } from "../words/output.ts";
import { textWidth } from "../words/wrapping.ts";
import type { Input } from "./input.ts";

/** The changed sections of a file. */
export interface FileSections {
  path: string;
  sections: readonly DiffSection[];
}

const MORE = "Press Enter for next section, 'q' to return to summary: ";

/** Shows the sections of some files one after the other, until the last or until the reader has seen enough. */
export async function pageSections(files: readonly FileSections[], output: Output, input: Input): Promise<void> {
  const { terminal } = output;
  const pages = files.flatMap(({ path, sections }) =>
    sections.map((section, at) => ({ heading: at === 0 ? renderHeading(safeText(path)) : undefined, section })),
  );
  if (pages.length === 0) output.note("Nothing has changed there");
  for (const [at, { heading, section }] of pages.entries()) {
    output.say();
    if (heading !== undefined) output.say(`${heading}\n`, "bold");
    const mark = (text: string, side: "old" | "new") => terminal.style(side === "old" ? "red" : "green", text);
    output.show(renderSection(safeSection(section), { width: textWidth(terminal.columns), mark }));
    if (at === pages.length - 1) break;
    output.say();
    // With --json everything is said at once: whoever reads it can stop where they like.
    if (terminal.isJson) continue;
    if (await isEnough(output, input)) break;
  }
  output.say();
}

async function isEnough(output: Output, input: Input): Promise<boolean> {
  for (;;) {
    const line = (await input.read({ prompt: MORE, isAnswer: true, words: ["q"] }))?.trim();
    if (line === undefined || /^q(?:uit)?$/i.test(line)) return true;
    // One sign is a key; words were meant for a question, and must not vanish.
    if (line.length < 2) return false;
    output.note(`Not taken here: '${shorten(line, 60)}'. Enter shows the next section, q ends this`);
  }
}

/** Nothing of a text acts on the terminal; what is changed is marked after that. */
function safeSection(section: DiffSection): DiffSection {
  const safe = (pieces: readonly DiffPiece[]) => pieces.map((piece) => ({ ...piece, text: safeText(piece.text) }));
  return { ...section, title: safeText(section.title), old: safe(section.old), new: safe(section.new) };
}
