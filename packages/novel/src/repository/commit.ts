// Changes committed by a plain `git commit`: hooks, identity and signing are the user's.
//
//   C1  Nothing is replaced that is neither as the last commit has it nor as it is to become.
//   C2  A mark says what is under way. Whoever finds one after its process has died waits for the git that outlived
//       it; then the commit is there, or the files go back to what they were.
//   C3  Only the paths of the change are committed; whatever else is staged stays staged.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { LoopwrightError, UsageError, whileLocked } from "@loopwright/core";
import { plainPath, tryUserGit } from "@loopwright/git";
import { z } from "zod";
import { composeMessage, type Trailers } from "./log.ts";
import {
  askGit,
  digestOf,
  git,
  headOf,
  ownFolder,
  type Place,
  putBack,
  readFiles,
  readOnDisk,
  type Texts,
  writeAll,
} from "./place.ts";
import { indexLock, readStatus } from "./status.ts";

/** Milliseconds; a hook that takes longer waits for something that never comes. */
const HOOK_LIMIT = 300_000;
/** Milliseconds for which a git of a dead process is waited for. */
const ORPHAN_LIMIT = 10_000;
const LONGEST_WORDS = 3_000;
/** The user's own settings hold, but for how we speak with git. */
const SPOKEN = ["i18n.commitEncoding=UTF-8", "core.quotePath=false", "core.safecrlf=false", "user.useConfigOnly=true"];

export interface Message {
  subject: string;
  body?: string | undefined;
  trailers?: Trailers;
}

const Mark = z.object({
  /** The commit before; absent where there was none. */
  head: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .optional(),
  deed: z.string().optional(),
  /** The process group of the git that commits. */
  group: z.number().int().min(2).optional(),
  /** What each file is to be, as a digest; null where it goes, and "" where a person wrote it. */
  files: z.record(z.string(), z.string().nullable()),
});
type Mark = z.infer<typeof Mark>;

/** Does something while no other process of ours is at work, and nothing is half done. */
export async function whileSettled<Result>(place: Place, act: () => Promise<Result>): Promise<Result> {
  mkdirSync(ownFolder(place), { recursive: true });
  const settled = async () => {
    const mark = readMark(place);
    if (mark) {
      await outlive(place, mark);
      await finish(place, mark, false);
    }
    return act();
  };
  return whileLocked(join(ownFolder(place), "lock"), settled, HOOK_LIMIT + 30_000);
}

/** Completes, or takes back, what a process that died was doing. */
export async function settle(place: Place): Promise<void> {
  if (existsSync(markOf(place))) await whileSettled(place, async () => {});
}

/** Commits texts and brings the work tree to them; gives the commit and the files that it changed. */
export async function commitTexts(
  place: Place,
  message: Message,
  texts: Texts,
): Promise<{ sha: string; paths: string[] }> {
  const { changes, added } = await checkChanges(place, texts);
  const files = Object.fromEntries([...changes].map(([path, text]) => [path, digestOf(text)]));
  const sha = await commit(place, message, { files, added, write: () => writeAll(place, changes) });
  return { sha, paths: [...changes.keys()].sort() };
}

/** Commits files as they lie in the work tree. */
export async function commitAsTheyLie(place: Place, subject: string, paths: readonly string[]): Promise<string> {
  const { dirty } = await readStatus(place, paths.length > 0 ? paths : [".gitignore"]);
  const added = dirty.flatMap(({ path, isUntracked }) => (isUntracked && paths.includes(path) ? [path] : []));
  return commit(place, { subject }, { files: Object.fromEntries(paths.map((path) => [path, ""])), added });
}

/** The error of a commit that would write over what a person wrote. */
export function handEdited(paths: readonly string[]): UsageError {
  const [one, ...more] = paths;
  const names = more.length > 3 ? `${one} and ${more.length} other files` : paths.join(", ");
  return new UsageError(
    "HAND_EDITED",
    `${names} changed by hand meanwhile, and would be written over. Nothing was changed: go on, and what was edited is taken in; a file that git ignores has to be moved away first`,
    { data: { paths: paths.join("\n") } },
  );
}

/** The files that differ from the last commit, and those of them that git does not know yet. */
async function checkChanges(place: Place, texts: Texts): Promise<{ changes: Texts; added: string[] }> {
  const paths = [...texts.keys()];
  const before = await readFiles(
    place,
    paths.map((path) => ({ sha: "HEAD", path })),
  );
  const changed = paths.filter((path, at) => digestOf(texts.get(path)) !== digestOf(before[at]));
  if (changed.length === 0) return { changes: new Map(), added: [] };
  const edited = new Set((await readStatus(place, changed)).dirty.map(({ path }) => path));
  const added = changed.filter((path) => !before[paths.indexOf(path)]);
  const foreign: string[] = [];
  for (const path of changed) {
    const now = digestOf(await readOnDisk(place, path));
    const isKnown = added.includes(path) ? now === null : !edited.has(path);
    if (!isKnown && now !== digestOf(texts.get(path))) foreign.push(path);
  }
  if (foreign.length > 0) throw handEdited(foreign);
  return { changes: new Map(changed.map((path) => [path, texts.get(path)])), added };
}

interface Attempt {
  files: Mark["files"];
  /** Files that git has to be told of. */
  added: readonly string[];
  write?: () => Promise<void>;
}

async function commit(place: Place, message: Message, { files, added, write }: Attempt): Promise<string> {
  const { trailers } = message;
  const head = await headOf(place);
  const deed = trailers && `Loopwright-${trailers.deed}: ${trailers.id}`;
  const mark: Mark = { files, ...(head && { head }), ...(deed && { deed }) };
  writeMark(place, mark);
  try {
    await write?.();
    if (added.length > 0) await git(place, ["add", "--intent-to-add", "--force", "--", ...added]);
    await runCommit(place, message, mark);
  } catch (error) {
    const isRefused = error instanceof UsageError && error.code === "COMMIT_REFUSED";
    if (!(await finish(place, mark, isRefused))) throw asUsageError(error);
    return (await headOf(place))!;
  }
  await tidy(place, mark);
  return (await headOf(place))!;
}

async function runCommit(place: Place, { subject, body, trailers }: Message, mark: Mark): Promise<void> {
  const settings = SPOKEN.flatMap((each) => ["-c", each]);
  const options = ["--quiet", "--only", "--allow-empty", "--cleanup=whitespace", "--file=-"];
  const { code, complaint, isOverdue } = await tryUserGit(
    [...settings, "commit", ...options, "--", ...Object.keys(mark.files)],
    {
      folder: place.folder,
      input: [composeMessage(subject, body, trailers)],
      hooks: { limit: HOOK_LIMIT, onStart: (group) => writeMark(place, { ...mark, group }) },
    },
  );
  if (code === 0) return;
  const said = complaint.trim() || `it ended with code ${code}`;
  const words = isOverdue ? `it did not end within ${HOOK_LIMIT / 60_000} minutes` : said;
  throw new UsageError(
    "COMMIT_REFUSED",
    `git, or a hook of ${place.root}, refused the commit:\n${words.length > LONGEST_WORDS ? `…${words.slice(-LONGEST_WORDS)}` : words}\nNothing was changed. Fix what it names, then try again`,
  );
}

/** Whether the commit was made; where it was not, the files go back. Nothing is under way afterwards. */
async function finish(place: Place, mark: Mark, isForced: boolean): Promise<boolean> {
  const since = mark.head === undefined ? "HEAD" : `${mark.head}..HEAD`;
  const find = ["log", "-1", "--format=%H", "--fixed-strings", `--grep=${mark.deed}`, since];
  const isMade = mark.deed !== undefined && Boolean(await askGit(place, find));
  const written = Object.entries(mark.files).filter(([, digest]) => digest !== "");
  if (!isMade) await putBack(place, Object.fromEntries(written), isForced);
  await tidy(place, mark);
  return isMade;
}

/** Brings the index to the last commit at the paths of the commit: hooks, and a git that died, leave it behind. */
async function tidy(place: Place, { files }: Mark): Promise<void> {
  const paths = Object.keys(files);
  if (paths.length > 0) await git(place, ["reset", "--quiet", "--", ...paths]);
  rmSync(markOf(place), { force: true });
}

/** Waits for a git that outlived its process, and removes the locks of one that did not. */
async function outlive(place: Place, { group }: Mark): Promise<void> {
  for (let waited = 0; group !== undefined && isRunning(group); waited += 50) {
    if (waited >= ORPHAN_LIMIT)
      throw new UsageError(
        "REPOSITORY_STATE",
        `a git commit of a session that was ended is still under way in ${place.root} (process ${group}): wait for it, or type: kill ${group}`,
      );
    await pause(50);
  }
  const branch = await askGit(place, ["symbolic-ref", "--quiet", "HEAD"]);
  const began = statSync(markOf(place)).mtimeMs - 1_000;
  const locks = [indexLock(place), join(place.gitDir, "HEAD.lock"), join(place.commonDir, `${branch}.lock`)];
  const isLeft = (lock: string) => (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= began;
  // One that another git holds goes by itself.
  for (let waited = 0; waited < 1_000 && locks.some(isLeft); waited += 50) await pause(50);
  for (const lock of locks) if (isLeft(lock)) rmSync(lock, { force: true });
}

function asUsageError(error: unknown): unknown {
  if (error instanceof LoopwrightError || !(error instanceof Error) || !("code" in error)) return error;
  return new UsageError("NOT_WRITABLE", `the files could not be written (${error.message}). Nothing was changed`);
}

function isRunning(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

function markOf(place: Place): string {
  return join(ownFolder(place), "pending.json");
}

/** Written at once, and whole: git must not run a moment without it. */
function writeMark(place: Place, mark: Mark): void {
  writeFileSync(`${markOf(place)}.new`, JSON.stringify(mark), { flush: true });
  renameSync(`${markOf(place)}.new`, markOf(place));
}

/** The mark that was left; it may have come with the folder, and names no file outside it. */
function readMark(place: Place): Mark | undefined {
  if (!existsSync(markOf(place))) return undefined;
  try {
    const mark = Mark.parse(JSON.parse(readFileSync(markOf(place), "utf8")));
    if (Object.keys(mark.files).every(isPlain)) return mark;
  } catch {}
  rmSync(markOf(place), { force: true });
  return undefined;
}

/** Whether a path is a file of the project's, in its plain form. */
export function isPlain(path: string): boolean {
  return plainPath(path).path === path && !/^\.git(?:\/|$)/i.test(path);
}
