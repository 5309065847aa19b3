// /read: the book in the terminal, a screen at a time, or as one page in the browser.

import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { type FileBlock, levelOf } from "../../layout.ts";
import type { Manuscript } from "../../manuscript/index.ts";
import type { ReadChapter } from "../../reading/page.ts";
import { premiseToMarkdown } from "../../reading/premise.ts";
import { pageFiles } from "../input/text-pager.ts";
import type { Session } from "../session.ts";
import { fitsName } from "../words/file-names.ts";
import { messages } from "../words/words.ts";
import { lastChange } from "./diff.ts";

/** /read [CHAPTER] [--browser] */
export async function readBook(session: Session, rest: string): Promise<void> {
  const words = rest.split(/\s+/).filter((word) => word !== "");
  const name = words.filter((word) => word !== "--browser").join(" ");
  const manuscript = await session.manuscript();
  const level = manuscript.has("prose") ? "prose" : session.target;
  if (level === undefined || !manuscript.has(level)) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  const files = (await manuscript.read(level)).filter(({ path }) => name === "" || fitsName(path, name));
  if (files.length === 0)
    throw new LoopwrightError(
      "FILE_UNKNOWN",
      `There is no ${name} in ${level}. Name one as /read 3 or /read chapter-3`,
    );
  if (words.includes("--browser")) return openPage(session, manuscript, files);
  const { fileTitle } = await import("../../diff/index.ts");
  const shown = files.map((file) => toChapter(file, fileTitle(file.path)));
  await pageFiles(shown, session.output, session.input);
}

async function openPage(session: Session, manuscript: Manuscript, files: readonly FileBlock[]): Promise<void> {
  const [{ readingPage }, { fileTitle }, last] = await Promise.all([
    import("../../reading/page.ts"),
    import("../../diff/index.ts"),
    lastChange(session.novel.repository),
  ]);
  // Of what was not there before, all is new: there is nothing to mark.
  const old = new Map(last?.content.flatMap(({ path, before }) => (before === undefined ? [] : [[path, before]])));
  const chapters: ReadChapter[] = files.map((file) => {
    const { path } = file;
    const before = old.has(path) ? toChapter({ path, content: old.get(path)! }, "").text : undefined;
    return { ...toChapter(file, fileTitle(path)), ...(before !== undefined && { before }) };
  });
  const isMarked = chapters.some(({ before }) => before !== undefined);
  const since = last && isMarked ? `"${last.iteration.subject}"` : undefined;
  const { title, author } = manuscript.project;
  const path = join(session.novel.folder, ".loopwright", "reading.html");
  await mkdir(join(session.novel.folder, ".loopwright"), { recursive: true });
  await writeFile(path, readingPage({ title, author, since, chapters }));
  const isOpened = session.input.isInteractive && (await openInBrowser(path));
  session.output.note(isOpened ? `Opened in the browser: ${path}` : `The page is ${path}: open it in a browser`);
}

/** A chapter's title and the text below it; comments are no text. */
function toChapter({ path, content }: FileBlock, fallback: string): { title: string; text: string } {
  const shown = levelOf(path) === "premise" ? premiseToMarkdown(content) : content;
  // A line of verse ends in a backslash, which is no part of it.
  const plain = shown
    .replace(/<!--[\s\S]*?-->\n?/g, "")
    .replace(/\r\n?/g, "\n")
    .replace(/\\\n/g, "\n");
  const [, title, text] = /^\s*# +(.*)\n?([\s\S]*)$/.exec(plain) ?? [];
  return title === undefined ? { title: fallback, text: plain.trim() } : { title, text: text!.trim() };
}

/** Opens a file with the person's own program; false where there is none. */
async function openInBrowser(path: string): Promise<boolean> {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = process.env;
  const system = process.platform === "darwin" ? "open" : DISPLAY || WAYLAND_DISPLAY ? "xdg-open" : undefined;
  const command = BROWSER || system;
  if (command === undefined || command === "") return false;
  const child = spawn("sh", ["-c", `${command} "$1"`, "sh", path], { stdio: "ignore", detached: true });
  const started = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
  });
  child.unref();
  return started;
}
