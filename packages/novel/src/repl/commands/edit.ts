// /edit: the person is the writer. A copy is opened in their editor; what they changed goes the way of any other change.

import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { type FileBlock, type Level, levels } from "../../layout.ts";
import type { Manuscript } from "../../manuscript/index.ts";
import { partCalled } from "../../manuscript/language/part-names.ts";
import { beginIteration, newIterationId } from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord } from "../words/command-words.ts";
import { fitsName } from "../words/file-names.ts";
import { messages, plural, readLevel } from "../words/words.ts";

/** More files than this are not opened at once. */
const MOST_FILES = 40;

/** /edit [FILE] */
export async function edit(session: Session, rest: string): Promise<void> {
  const { output, novel } = session;
  const editor = process.env.VISUAL || process.env.EDITOR;
  const manuscript = await session.manuscript();
  const { level, files } = await filesToEdit(session, manuscript, rest.trim());
  if (!editor) throw new LoopwrightError("NO_EDITOR", messages.noEditor);
  if (files.length > MOST_FILES)
    throw new LoopwrightError(
      "USAGE",
      `${plural(files.length, "file")} are too many to open at once: name one, such as /edit chapter-3`,
    );
  // In the project, so that what was written outlives a closed terminal.
  const folder = join(novel.folder, ".loopwright", "edits", newIterationId());
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
    return output.note("Nothing was changed");
  }
  const result = await beginIteration(session, { kind: "edit", target: level, feedback: [], edited });
  // From here on the run's own record holds what was written.
  if (result) await rm(folder, { recursive: true, force: true });
  else output.note(`What you wrote is kept in ${folder}`);
  if (result?.outcome === "done") await tellStale(session, level, edited);
}

/** An edit does not say that it looked at what changed above: only its author can. */
async function tellStale(session: Session, level: Level, edited: readonly FileBlock[]): Promise<void> {
  const stale = (await session.manuscript()).stale().find((each) => each.level === level);
  const files = stale?.files.filter(({ path }) => edited.some((file) => file.path === path)) ?? [];
  if (files.length === 0) return;
  const { nameOf } = await import("../../layout.ts");
  const names = files.map(({ path }) => nameOf(path)).join(", ");
  const name = files.length > 1 ? level : files[0]!.path;
  session.output.note(
    `Still stale: ${names}. If what you wrote is in line with what changed above, say so with /fresh ${name}`,
  );
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
    const { blankLevel } = await import("../../manuscript/begin.ts");
    return { level, files: blankLevel(level, manuscript.project) };
  }
  if (name === "") throw new LoopwrightError("NO_TARGET", messages.noTarget);
  // A chapter's name is one of the target's where that has chapters.
  for (const candidate of new Set([...(target ? [target] : []), ...levels])) {
    const files = manuscript.has(candidate) ? await manuscript.read(candidate) : [];
    const fitting = files.filter(({ path }) => fitsName(path, name));
    if (fitting.length > 0) return { level: candidate, files: fitting };
  }
  const part = partCalled(name);
  if (part !== undefined && manuscript.has("prose")) {
    const { blankPart } = await import("../../manuscript/begin.ts");
    return { level: "prose", files: [blankPart(part, manuscript.project.language)] };
  }
  throw new LoopwrightError(
    "FILE_UNKNOWN",
    `There is no file ${name}. Name one as /edit chapter-3, /edit foundation or by its path`,
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
      env: { ...process.env, LOOPWRIGHT_JOURNAL_KEY: undefined },
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
