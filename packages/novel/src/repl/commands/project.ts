// /new, /open, /iterate, /scope and /model: which book, what feedback is about, how much of it is written anew, and by whom.

import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { LoopwrightError, nearest, suggestOrList, UsageError } from "@loopwright/core";
import { showCount } from "@loopwright/terminal";
import type { Manuscript, NewManuscript } from "../../manuscript/files/open.ts";
import type { Level } from "../../types.ts";
import type { Commands } from "../command-table.ts";
import { attempt } from "../input/input.ts";
import { commitChange } from "../iterations.ts";
import { isNovel, noRoles, roleNames, type Session } from "../session.ts";
import { messages, notFound, projectLine, readLevel, splitWords, staleLine, targetIs } from "../words/words.ts";

export const commands: Commands = { new: makeProject, open: openNamed, iterate, scope, model: chooseModel };

/** /new NAME */
async function makeProject(session: Session, rest: string): Promise<void> {
  const [name, ...more] = splitWords(rest);
  if (name === undefined || more.length > 0)
    throw new UsageError("USAGE", "Name the project: /new NAME (in quotation marks where it holds a space)");
  const folder = await createNovel(placeFor(session, name), { title: titleOf(name) });
  session.output.say(`Made in ${folder}`);
  await openNovel(session, folder);
}

/** /open NAME|PATH */
async function openNamed(session: Session, rest: string): Promise<void> {
  const [name, ...more] = splitWords(rest);
  if (name === undefined || more.length > 0) throw new UsageError("USAGE", "Name a project: /open NAME or /open PATH");
  await openNovel(session, findNovel(session, name));
}

/** Makes an empty project with its own repository; gives back its folder. */
export async function createNovel(folder: string, values: NewManuscript): Promise<string> {
  const [{ createManuscript }, { openRepository }] = await Promise.all([
    import("../../manuscript/files/open.ts"),
    import("../../repository/repository.ts"),
  ]);
  const manuscript = await createManuscript(folder, values);
  await (await openRepository(manuscript.folder)).initialize();
  return manuscript.folder;
}

/** Opens a project, says what it is, and offers to go on with what was left unfinished. */
export async function openNovel(session: Session, folder: string): Promise<void> {
  const { output } = session;
  const manuscript = await session.open(folder);
  tellProject(session, manuscript);
  const refused = await session.novel.repository.check();
  if (refused !== undefined) output.fail(refused);
  // The project is open by now, whatever becomes of what was left.
  await attempt(session, async () => {
    const { findUnfinished, offerUnfinished } = await import("../iterations.ts");
    const unfinished = await findUnfinished(session);
    if (unfinished) await offerUnfinished(session, unfinished);
  });
}

function tellProject({ output, target, novel }: Session, manuscript: Manuscript): void {
  output.say(projectLine(manuscript), "bold");
  if (target) output.note(targetIs(target));
  else {
    output.note(messages.begin);
    // Of a configuration that cannot be used it was said why.
    if (novel.roles !== noRoles && !novel.roles.has("writer")) output.note(messages.noModel);
  }
  for (const stale of manuscript.stale()) output.say(`⚠️  ${staleLine(stale)}`, "yellow");
  for (const note of manuscript.notes) output.note(note);
}

/** The folder of the project that a name or a path means; where there is none it is said how one is made. */
export function findNovel(session: Session, name: string, making = `/new ${name}`): string {
  const places = [
    resolve(expandHome(name)),
    ...(session.hasNovel ? [resolve(dirname(session.novel.folder), name)] : []),
  ];
  const found = places.find(isNovel);
  if (found !== undefined) return found;
  const near = nearest(name, novelsIn(dirname(places.at(-1)!)));
  const there = places.find((place) => existsSync(place));
  const what =
    there === undefined ? `There is no ${places[0]}` : `${there} is no novel project: it has no project.yaml`;
  throw new UsageError(
    "NOVEL_MISSING",
    `${what}. ${near === undefined ? `${making} makes one` : `Did you mean ${near}?`}`,
  );
}

/** The names of the novel projects in a folder. */
export function novelsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => isNovel(join(folder, name))) : [];
}

/** Where a new project goes: a path as it is, a name beside the project that is open, else in this folder. */
export function placeFor(session: Session, name: string): string {
  if (/[/\\]/.test(name) || name.startsWith("~")) return resolve(expandHome(name));
  return session.hasNovel ? join(dirname(session.novel.folder), name) : resolve(name);
}

/** `my-novel` → `My novel` */
export function titleOf(name: string): string {
  const words = basename(name).replace(/[-_]+/g, " ").trim() || "Untitled";
  return words[0]!.toUpperCase() + words.slice(1);
}

function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

/** What the writer of a level is given, beside its history. */
const loaded: Readonly<Record<Level, readonly string[]>> = {
  premise: ["premise", "taxonomy"],
  treatment: ["premise", "treatment", "taxonomy"],
  chapters: ["premise", "treatment", "taxonomy", "foundation", "chapters"],
  prose: ["premise", "treatment", "chapters", "prose"],
};

/** /iterate [LEVEL] */
async function iterate(session: Session, rest: string): Promise<void> {
  const { output, target } = session;
  const manuscript = await session.manuscript();
  if (rest.trim() === "") {
    if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
    output.say(`[Current iteration target: ${target}]`);
    output.say(`[Iteration history: ${showCount((await manuscript.history(target)).length, "iteration")}]`);
    return;
  }
  const level = readLevel(rest.trim());
  if (level === undefined) throw new LoopwrightError("TARGET_INVALID", messages.invalidTarget);
  if (!manuscript.has(level)) throw new LoopwrightError("LEVEL_MISSING", notFound(level));
  const { length } = await manuscript.history(level);
  session.target = level;
  const isThere = (name: string) =>
    name === "taxonomy"
      ? manuscript.taxonomy !== undefined
      : manuscript.has(name === "foundation" ? "chapters" : (name as Level));
  output.say(`[${targetIs(level)}]`);
  output.say(`[Loaded: ${loaded[level].filter(isThere).join(", ")}]`);
  output.say(`[History: ${showCount(length, "previous iteration")}]`);
}

const scopes = {
  model: "a model reads which files the feedback and its ripples reach",
  whole: "every file of the level is written anew",
  named: "only the files that you name",
} as const;
type Scope = keyof typeof scopes;

/** /scope [model|whole|named]: kept in project.yaml, in a commit of its own. */
async function scope(session: Session, rest: string): Promise<void> {
  const word = rest.trim().toLowerCase();
  const { project } = await session.manuscript();
  const now = project.scope ?? "model";
  const wanted = (Object.keys(scopes) as Scope[]).filter((name) => word !== "" && name.startsWith(word));
  if (word !== "" && wanted.length !== 1)
    throw new LoopwrightError("USAGE", `Say it as /scope ${Object.keys(scopes).join("|")}`);
  const chosen = wanted[0] ?? now;
  if (chosen !== now) {
    const { changeProjectFile } = await import("../../manuscript/files/open.ts");
    const file = await changeProjectFile(session.novel.folder, { scope: chosen });
    await commitChange(session, "project", `scope ${chosen}`, { write: [file], remove: [] });
  }
  session.output.say(`[Scope: ${chosen}, ${scopes[chosen]}]`);
}

/** /model [[ROLE=]NAME] */
async function chooseModel(session: Session, rest: string): Promise<void> {
  const { output, chosenModels } = session;
  const given = rest.trim();
  if (given !== "") {
    const role = /^([a-z][a-z-]*)=/.exec(given)?.[1];
    const known = [...roleNames, "default"];
    if (role !== undefined && !known.includes(role))
      throw new LoopwrightError("ROLE_UNKNOWN", `There is no role '${role}'${suggestOrList(role, known)}`);
    chosenModels.push(given);
    try {
      await session.reloadRoles();
    } catch (error) {
      chosenModels.pop();
      throw error;
    }
  }
  for (const role of roleNames) output.say(`  ${role.padEnd(12)} ${session.novel.roles.nameOf(role) ?? "none"}`);
  if (given === "")
    output.note("/model NAME sets all, /model ROLE=ENDPOINT:NAME one, for this session; project.yaml keeps them");
}
