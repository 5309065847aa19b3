// Where the task comes from: words on the command line, or the project's task file; and where one in words is done when nothing else
// is said: in the project's folder where there is a program in it.

import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type CommandContext, type Json, leadsOut, usage } from "@loopwright/core";
import { existing } from "@loopwright/workspace/settings";
import type { CodeConfiguration } from "../configuration.ts";
import { parseSections } from "../task-file.ts";

const WRITES_ONE = "`loopwright init <folder> --loop code` writes one";
const OR_WORDS =
  'say the task in words: `loopwright code "TASK"`; or have a task.md: `loopwright init <folder> --loop code`';

type Context = Pick<CommandContext, "arguments" | "dir" | "text">;

export interface TaskFiles {
  task: string;
  philosophy: string;
}

/** The files that say what is to be done, and how. Where the task is said in words, its file need not be there. */
export function taskFiles(context: Context, own: CodeConfiguration): TaskFiles {
  const { dir } = context;
  const [given, words] = [context.text("task"), taskWords(context)];
  const philosophy = context.text("philosophy") ?? (own.philosophy && join(dir, own.philosophy));
  const task = given ?? ownFile(dir, "task", own.task);
  const isNeeded = given !== undefined || words === undefined;
  return {
    task: isNeeded ? existing(task, given === undefined ? "the task" : "--task", OR_WORDS) : task,
    philosophy: philosophy ? existing(philosophy, "--philosophy", WRITES_ONE) : ownFile(dir, "philosophy"),
  };
}

/** A file of the project's. A link came with the folder, and does not say what models are told and what is written to. */
function ownFile(dir: string, flag: "task" | "philosophy", configured?: string): string {
  const file = join(dir, configured ?? `${flag}.md`);
  if (configured === undefined && leadsOut(dir, file))
    throw usage(
      `${file} is a link that leads out of the project`,
      `say which file it is, if that is meant: --${flag} FILE`,
    );
  if (existsSync(file) && !statSync(file).isFile()) throw usage(`${file} is no plain file`);
  return file;
}

/** The task as it was typed; undefined where it was not. */
export function taskWords({ arguments: given }: Pick<Context, "arguments">): string | undefined {
  const words = given[0];
  if (words === undefined) return undefined;
  if (words.trim() === "") throw usage("the task is empty", 'say what is to be done: `loopwright code "TASK"`');
  if (!/\s/.test(words.trim()) && existsSync(words) && statSync(words).isDirectory())
    throw usage(`'${words}' is a folder, and stands where the task is said`, `\`loopwright code --project ${words}\``);
  return words.trim();
}

/** What the loop is told of the task: the words with the task file's other sections, or the file. Amendments of a task in words
 * stay in the run. */
export async function readTask(context: Context, files: TaskFiles): Promise<Record<string, Json>> {
  const words = taskWords(context);
  const [task, philosophy] = [await readText(files.task), await readText(files.philosophy)];
  const more: Record<string, Json> = philosophy === undefined ? {} : { philosophy };
  if (words === undefined) return { task: task ?? "", task_file: files.task, ...more };
  return { task: withContext(words, task ?? "", files.task), ...more };
}

/** A task in words, under what a task file says of scope, domain and constraints. One that has a task of its own says another. */
export function withContext(words: string, text: string, file: string): string {
  const { task, scope, knowledge, constraints } = parseSections(text);
  if (task.replace(/^\s{0,3}#.*$/gm, "").trim() !== "")
    throw usage(
      `${file} has a task of its own, and another one is said in words`,
      "leave the words out, or keep only Scope, Domain Knowledge and Constraints in that file: they hold for every task",
    );
  const sections = { Task: words, Scope: scope, "Domain Knowledge": knowledge, Constraints: constraints };
  const parts = Object.entries(sections).filter(([, part]) => part.trim() !== "");
  return parts.map(([title, part]) => `## ${title}\n\n${part.trim()}\n`).join("\n");
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

const FOLDER = "workspace";
const PROGRAM =
  /\.(?:py|pyi|[cm]?[jt]s|[jt]sx|go|rs|java|kt|c|cc|cpp|cxx|h|hpp|cs|rb|php|swift|scala|pl|lua|sh|ex|exs|hs|ml)$|^(?:package\.json|pyproject\.toml|setup\.cfg|Cargo\.toml|go\.mod|Makefile|CMakeLists\.txt)$/i;
/** What is no program of the folder's own. */
const SKIPPED = new Set([FOLDER, "runs", "prompts", "node_modules", "venv", "__pycache__"]);
const DEPTH = 3;

/** The usual workspace of a task: the folder `workspace`, or for one in words the folder itself. */
export function usualWorkspace(dir: string, words: string | undefined): string {
  if (words === undefined || !hasProgram(dir)) return FOLDER;
  if (existsSync(homedir()) && realpathSync(dir) === realpathSync(homedir()))
    throw usage("your home folder is no workspace", "go to the program's own folder, or name it: --workspace DIR");
  return ".";
}

function hasProgram(folder: string, depth = DEPTH): boolean {
  const entries = entriesOf(folder);
  if (entries.some((entry) => entry.isFile() && PROGRAM.test(entry.name))) return true;
  const folders = entries.filter((entry) => entry.isDirectory() && !/^\./.test(entry.name) && !SKIPPED.has(entry.name));
  return depth > 1 && folders.some(({ name }) => hasProgram(join(folder, name), depth - 1));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
