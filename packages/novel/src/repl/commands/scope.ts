// /scope: how much of a level is written anew for feedback on it. Kept in project.yaml, in a commit of its own.

import { LoopwrightError } from "@loopwright/core";
import { commitChange } from "../iterations.ts";
import type { Session } from "../session.ts";

const scopes = {
  model: "a model reads which files the feedback and its ripples reach",
  whole: "every file of the level is written anew",
  named: "only the files that you name",
} as const;
type Scope = keyof typeof scopes;

/** /scope [model|whole|named] */
export async function scope(session: Session, rest: string): Promise<void> {
  const word = rest.trim().toLowerCase();
  const { project } = await session.manuscript();
  const now = (project as { scope?: Scope }).scope ?? "model";
  const wanted = (Object.keys(scopes) as Scope[]).filter((name) => word !== "" && name.startsWith(word));
  if (word !== "" && wanted.length !== 1)
    throw new LoopwrightError("USAGE", `Say it as /scope ${Object.keys(scopes).join("|")}`);
  const chosen = wanted[0] ?? now;
  if (chosen !== now) {
    const { changeProjectFile } = await import("../../manuscript/index.ts");
    const file = await changeProjectFile(session.novel.folder, { scope: chosen } as object);
    await commitChange(session, "project", `scope ${chosen}`, { write: [file], remove: [] });
  }
  session.output.say(`[Scope: ${chosen}, ${scopes[chosen]}]`);
}
