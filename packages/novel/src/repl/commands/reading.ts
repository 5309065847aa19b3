// /read and /diff: the book, and what the last iteration changed in it, a screen at a time.

import { LoopwrightError } from "@loopwright/core";
import { showCount } from "@loopwright/terminal";
import { fileTitle } from "../../diff/render.ts";
import { diffFiles } from "../../diff/sections.ts";
import { filesNamed, isCalled } from "../../level/names.ts";
import { levelOf } from "../../manuscript/files/layout.ts";
import { premiseToMarkdown } from "../../manuscript/files/schemas.ts";
import type { Repository } from "../../repository/repository.ts";
import type { CommittedFile } from "../../repository/types.ts";
import type { FileBlock } from "../../types.ts";
import type { Commands } from "../command-table.ts";
import { pageFiles, pageSections } from "../input/pager.ts";
import type { Session } from "../session.ts";
import { messages } from "../words/words.ts";

export const commands: Commands = { diff: showDiff, read: readBook };

/** /read [CHAPTER] */
async function readBook(session: Session, rest: string): Promise<void> {
  const name = rest.trim();
  const manuscript = await session.manuscript();
  const level = manuscript.has("prose") ? "prose" : session.target;
  if (level === undefined || !manuscript.has(level)) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  const all = await manuscript.read(level);
  const files = name === "" ? all : filesNamed(all, name);
  if (files.length === 0)
    throw new LoopwrightError("FILE_UNKNOWN", `There is no ${name} in ${level}. Name one as /read chapter-3`);
  await pageFiles(files.map(toChapter), session.output, session.input);
}

/** A chapter's title and the text below it; comments are no text. */
function toChapter({ path, content }: FileBlock): { title: string; text: string } {
  const shown = levelOf(path) === "premise" ? premiseToMarkdown(content) : content;
  const plain = shown.replace(/<!--[\s\S]*?-->\n?/g, "").replace(/\r\n?/g, "\n");
  const [, title = fileTitle(path), text = plain] = /^\s*# +(.*)\n?([\s\S]*)$/.exec(plain) ?? [];
  return { title, text: text.trim() };
}

/** /diff [FILE] */
async function showDiff(session: Session, rest: string): Promise<void> {
  const { output, input, novel } = session;
  const last = await lastChange(novel.repository);
  if (!last) return output.note("There is no iteration yet");
  const { iteration, files, content } = last;
  const name = rest.trim();
  // What was culled is named; whoever wants to read it asks for it by name.
  const shown = content.filter(({ path, after }) => (name === "" ? after !== undefined : isCalled(path, name)));
  if (shown.length === 0 && name !== "")
    throw new LoopwrightError(
      "FILE_UNKNOWN",
      `The last iteration did not change ${name}. It changed ${namesOf(content)}`,
    );
  output.say(`"${iteration.subject}" (${iteration.sha.slice(0, 7)}, ${iteration.date.slice(0, 10)})`, "bold");
  const others = files.length - content.length;
  const records = others > 0 ? `, and ${showCount(others, "record")}` : "";
  output.say(`${showCount(content.length, "content file")} changed${records}: ${namesOf(content)}`);
  const side = (which: "before" | "after") =>
    shown.flatMap(({ path, [which]: text }) => (text === undefined ? [] : [{ path, content: text }]));
  await pageSections(diffFiles(side("before"), side("after")), output, input);
}

/** How far back a change of content is looked for. */
const LOOKED_AT = 50;

/** The last iteration that is not undone and changed some content: an analysis changes none. */
async function lastChange(repository: Repository) {
  const standing = (await repository.iterations()).filter(({ isUndone }) => !isUndone);
  for (const iteration of standing.slice(0, LOOKED_AT)) {
    const files = await repository.changeOf(iteration.sha);
    const content = files.filter(({ path }) => levelOf(path) !== undefined);
    if (content.length > 0) return { iteration, files, content };
  }
  return undefined;
}

function namesOf(files: readonly CommittedFile[]): string {
  const names = files.map(({ path, after }) => (after === undefined ? `${path} (removed)` : path));
  return names.length > 8 ? `${names.slice(0, 8).join(", ")}, …` : names.join(", ") || "nothing";
}
