// /new and /open: projects.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { LoopwrightError, nearest, UsageError } from "@loopwright/core";
import type { Manuscript, NewManuscript } from "../../manuscript/index.ts";
import { attempt } from "../attempt.ts";
import { novelsIn } from "../input/completion.ts";
import { isNovel, type Session } from "../session.ts";
import { findUnfinished, tellNotBegun } from "../unfinished.ts";
import { splitWords } from "../words/command-words.ts";
import { projectLine, staleLine, targetIs } from "../words/words.ts";

/** /new NAME */
export async function makeProject(session: Session, rest: string): Promise<void> {
  const [name, ...more] = splitWords(rest);
  if (name === undefined || more.length > 0)
    throw new UsageError("USAGE", "Name the project: /new NAME (in quotation marks where it holds a space)");
  const folder = await createNovel(placeFor(session, name), { title: titleOf(name) });
  await openNovel(session, folder);
  session.voice.say(`Made in ${folder}. Begin with /generate premise IDEA, or bring a text: /import FILE`);
}

/** /open NAME|PATH */
export async function openNamed(session: Session, rest: string): Promise<void> {
  const [name, ...more] = splitWords(rest);
  if (name === undefined || more.length > 0) throw new UsageError("USAGE", "Name a project: /open NAME or /open PATH");
  await openNovel(session, findNovel(session, name));
}

/** Makes an empty project with its own repository; gives back its folder. */
export async function createNovel(folder: string, values: NewManuscript): Promise<string> {
  const [{ createManuscript }, { openRepository }] = await Promise.all([
    import("../../manuscript/index.ts"),
    import("../../repository/index.ts"),
  ]);
  const manuscript = await createManuscript(folder, values);
  await (await openRepository(manuscript.folder)).initialise();
  return manuscript.folder;
}

/** Opens a project, says what it is, and offers to go on with what was left unfinished. */
export async function openNovel(session: Session, folder: string): Promise<void> {
  const { voice } = session;
  const manuscript = await session.open(folder);
  tellProject(session, manuscript);
  const refused = await session.novel.repository.check();
  if (refused !== undefined) voice.fail(refused);
  // The project is open by now, whatever becomes of what was left.
  await attempt(session, async () => {
    const unfinished = await findUnfinished(session.novel.project);
    if (unfinished) await (await import("../offer-unfinished.ts")).offerUnfinished(session, unfinished);
    else if (manuscript.staleness.cascade) await (await import("../cascade.ts")).offerCascade(session);
    if (session.next === undefined) await tellNotBegun(session);
  });
}

function tellProject({ voice, target }: Session, manuscript: Manuscript): void {
  voice.say(projectLine(manuscript), "bold");
  if (target) voice.note(targetIs(target));
  for (const stale of manuscript.stale()) voice.say(`⚠️  ${staleLine(stale)}`, "yellow");
  for (const note of manuscript.notes) voice.note(note);
}

/** The folder of the project that a name or a path means. */
export function findNovel(session: Session, name: string): string {
  const places = [
    resolve(expandHome(name)),
    ...(session.hasNovel ? [resolve(dirname(session.novel.folder), name)] : []),
  ];
  const found = places.find(isNovel);
  if (found !== undefined) return found;
  const near = nearest(
    name,
    novelsIn(dirname(places.at(-1)!)).map((folder) => basename(folder)),
  );
  const there = places.find((place) => existsSync(place));
  const what =
    there === undefined ? `There is no ${places[0]}` : `${there} is no novel project: it has no project.yaml`;
  throw new LoopwrightError(
    "NOVEL_MISSING",
    `${what}. ${near === undefined ? `/new ${name} makes one` : `Did you mean ${near}?`}`,
  );
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
