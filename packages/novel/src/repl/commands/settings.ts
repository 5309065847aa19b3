// /iterate, /scope and /model: what feedback is about, how much of it is written anew, and by whom.

import { LoopwrightError, suggestOrList } from "@loopwright/core";
import type { Level } from "../../types.ts";
import { commitChange } from "../iterations.ts";
import { roleNames, type Session } from "../session.ts";
import { messages, notFound, plural, readLevel, targetIs } from "../words/words.ts";

/** What the writer of a level is given, beside its history. */
const loaded: Readonly<Record<Level, readonly string[]>> = {
  premise: ["premise", "taxonomy"],
  treatment: ["premise", "treatment", "taxonomy"],
  chapters: ["premise", "treatment", "taxonomy", "foundation", "chapters"],
  prose: ["premise", "treatment", "chapters", "prose"],
};

/** /iterate [LEVEL] */
export async function iterate(session: Session, rest: string): Promise<void> {
  const { output, target } = session;
  const manuscript = await session.manuscript();
  if (rest.trim() === "") {
    if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
    output.say(`[Current iteration target: ${target}]`);
    output.say(`[Iteration history: ${plural((await manuscript.history(target)).length, "iteration")}]`);
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
  output.say(`[History: ${plural(length, "previous iteration")}]`);
}

const scopes = {
  model: "a model reads which files the feedback and its ripples reach",
  whole: "every file of the level is written anew",
  named: "only the files that you name",
} as const;
type Scope = keyof typeof scopes;

/** /scope [model|whole|named]: kept in project.yaml, in a commit of its own. */
export async function scope(session: Session, rest: string): Promise<void> {
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
export async function chooseModel(session: Session, rest: string): Promise<void> {
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
