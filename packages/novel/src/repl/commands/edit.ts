// /edit: the person is the writer. A copy is opened in their editor; what they changed goes the way of any other change.

import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { filesNamed } from "../../level/names.ts";
import { bookPart, STYLE_FILE } from "../../manuscript/files/layout.ts";
import type { Manuscript } from "../../manuscript/files/open.ts";
import { type FileBlock, type Level, levels } from "../../types.ts";
import type { Commands } from "../command-table.ts";
import { beginIteration, commitChange, mayBegin, newIterationId } from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord, messages, readLevel } from "../words/words.ts";

export const commands: Commands = { edit };

/** /edit [FILE] */
async function edit(session: Session, rest: string): Promise<void> {
  const { output } = session;
  const name = rest.trim();
  if (name.toLowerCase() === "style" || name === STYLE_FILE) return editStyle(session);
  const manuscript = await session.manuscript();
  const { level, files } = await filesToEdit(session, manuscript, name);
  // Nobody writes for an hour to be told then that something else comes first.
  if (!(await mayBegin(session))) return;
  const { folder, edited } = await openInEditor(session, files);
  if (edited.length === 0) return;
  const result = await beginIteration(session, { kind: "edit", target: level, feedback: [], edited });
  // From here on the run's own record holds what was written.
  if (result) await rm(folder, { recursive: true, force: true });
  else output.note(`What you wrote is kept in ${folder}`);
}

/** style.md is the author's alone: what they wrote is committed as it is. */
async function editStyle(session: Session): Promise<void> {
  const path = join(session.novel.folder, STYLE_FILE);
  const content = await readFile(path, "utf8").catch(() => BLANK_STYLE);
  const { folder, edited } = await openInEditor(session, [{ path: STYLE_FILE, content }]);
  if (edited.length === 0) return;
  const { subject } = await commitChange(session, "project", "style", { write: edited, remove: [] });
  await rm(folder, { recursive: true, force: true });
  session.output.say(`✓ Git commit: "${subject}"`, "green");
  session.output.note("Writer and judge go by it from the next iteration on");
}

const BLANK_STYLE =
  "# Style\n\n<!-- What stands here is told to the writer and to the judge as rules. Under a heading 'Voice sample' a piece of prose shows how the book sounds. -->\n\n## Rules\n\n";

/** Has copies of files edited; those that are others now, and the folder that they stay in until they are on record. */
async function openInEditor(
  session: Session,
  files: readonly FileBlock[],
): Promise<{ folder: string; edited: FileBlock[] }> {
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!editor) throw new LoopwrightError("NO_EDITOR", messages.noEditor);
  // In the project, so that what was written outlives a closed terminal.
  const folder = join(session.novel.folder, ".loopwright", "edits", newIterationId());
  const copies = files.map(({ path }) => join(folder, path));
  for (const [at, { content }] of files.entries()) {
    await mkdir(dirname(copies[at]!), { recursive: true });
    await writeFile(copies[at]!, content);
  }
  await runEditor(session, editor, copies);
  const written = await Promise.all(copies.map((copy) => readFile(copy, "utf8").catch(() => undefined)));
  const edited = files.flatMap(({ path, content }, at) => {
    const text = written[at];
    return text === undefined || text === content ? [] : [{ path, content: text }];
  });
  if (edited.length === 0) {
    await rm(folder, { recursive: true, force: true });
    session.output.note("Nothing was changed");
  }
  return { folder, edited };
}

/** The files that a name means: those of the target, of a level, or one of them. */
async function filesToEdit(
  { target }: Session,
  manuscript: Manuscript,
  name: string,
): Promise<{ level: Level; files: FileBlock[] }> {
  const asLevel = readLevel(firstWord(name)[0]);
  const level = name === "" ? target : asLevel === name.toLowerCase() ? asLevel : undefined;
  if (level !== undefined) {
    if (manuscript.has(level)) return { level, files: await manuscript.read(level) };
    const { blankLevel } = await import("../../manuscript/book.ts");
    return { level, files: blankLevel(level, manuscript.project) };
  }
  if (name === "") throw new LoopwrightError("NO_TARGET", messages.noTarget);
  // A chapter's name is one of the target's where that has chapters.
  for (const candidate of new Set([...(target ? [target] : []), ...levels])) {
    const files = manuscript.has(candidate) ? await manuscript.read(candidate) : [];
    const fitting = filesNamed(files, name);
    if (fitting.length > 0) return { level: candidate, files: fitting };
  }
  const part = bookPart(`${name.toLowerCase().replace(/\s+/g, "-")}.md`);
  if (part !== undefined && manuscript.has("prose")) {
    const { blankPart } = await import("../../manuscript/book.ts");
    return { level: "prose", files: [blankPart(part)] };
  }
  throw new LoopwrightError(
    "FILE_UNKNOWN",
    `There is no file ${name}. Name one as /edit chapter-3, /edit foundation, /edit style or by its path`,
  );
}

/** Runs the editor as git does: its words are the shell's, the files are arguments of their own. */
async function runEditor({ output }: Session, editor: string, files: readonly string[]): Promise<void> {
  // Ctrl-C in the editor is the editor's.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    const hasTerminal = output.terminal.stdin.isTTY === true;
    const stdout = output.terminal.isJson ? "ignore" : "inherit";
    const child = spawn("sh", ["-c", `${editor} "$@"`, "sh", ...files], {
      stdio: [hasTerminal ? "inherit" : "ignore", stdout, "inherit"],
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", resolve);
    });
    if (code !== 0)
      throw new LoopwrightError(
        "EDITOR_FAILED",
        `The editor '${editor}' ended with ${code ?? "a signal"}. What you wrote is kept in ${dirname(files[0]!)}`,
      );
  } finally {
    process.off("SIGINT", ignore);
  }
}
