// How a level came to be, by its commits and its history.

import type { Level } from "../layout.ts";
import type { Manuscript } from "../manuscript/index.ts";
import type { Session } from "./session.ts";
import type { Origin } from "./words/words.ts";

/** How a level came to be; undefined where nothing tells. */
export async function originOf(
  { novel }: Session,
  manuscript: Manuscript,
  level: Level | "analysis" | undefined,
): Promise<Origin | undefined> {
  if (level === undefined || level === "analysis") return undefined;
  const [iterations, entries] = await Promise.all([novel.repository.iterations(), manuscript.history(level)]);
  const subjects = iterations.filter(({ isUndone }) => !isUndone).map(({ subject }) => subject);
  return originIn(subjects, level) ?? (entries[0]?.kind === "edit" ? "edited" : undefined);
}

/** What the last commit that made the level whole did; `subjects` are newest first. */
export function originIn(subjects: readonly string[], level: Level): Origin | undefined {
  const deeds = new RegExp(`^\\[${level}\\] (generate(?: anew)?$|derive from |import )`);
  for (const subject of subjects) {
    const deed = deeds.exec(subject)?.[1]?.trim();
    if (deed !== undefined)
      return deed.startsWith("generate") ? "generated" : deed === "import" ? "imported" : "derived";
  }
  return undefined;
}
