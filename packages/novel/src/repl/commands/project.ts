// /new and /open: projects.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { nearest, UsageError } from "@loopwright/core";
import type { Manuscript, NewManuscript } from "../../manuscript/files/open.ts";
import { attempt } from "../ask.ts";
import { novelsIn } from "../input/completion.ts";
import { isNovel, noRoles, type Session } from "../session.ts";
import { splitWords } from "../words/command-words.ts";
import { messages, projectLine, staleLine, targetIs } from "../words/words.ts";

/** /new NAME */
export async function makeProject(session: Session, rest: string): Promise<void> {
  const [name, ...more] = splitWords(rest);
  if (name === undefined || more.length > 0)
    throw new UsageError("USAGE", "Name the project: /new NAME (in quotation marks where it holds a space)");
  const folder = await createNovel(placeFor(session, name), { title: titleOf(name) });
  session.output.say(`Made in ${folder}`);
  await openNovel(session, folder);
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
  const near = nearest(
    name,
    novelsIn(dirname(places.at(-1)!)).map((folder) => basename(folder)),
  );
  const there = places.find((place) => existsSync(place));
  const what =
    there === undefined ? `There is no ${places[0]}` : `${there} is no novel project: it has no project.yaml`;
  throw new UsageError(
    "NOVEL_MISSING",
    `${what}. ${near === undefined ? `${making} makes one` : `Did you mean ${near}?`}`,
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
