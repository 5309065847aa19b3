// Kept passages whose author lets them go: their marks are taken away in a commit of its own, which /undo takes back.

import { nameOf } from "../manuscript/files/layout.ts";
import { type KeptPassage, openManuscript } from "../manuscript/index.ts";
import { releaseMarks } from "../manuscript/kept.ts";
import { commitSubject, openRepository } from "../repository/index.ts";
import type { Level } from "../types.ts";
import { orRefusal } from "./refusals.ts";

/** What is released, and the name of its commit, by which it is found again after a crash. */
export interface Release {
  target: Level;
  id: string;
  passages: readonly KeptPassage[];
}

/** Takes the marks of passages away; gives back the commit, or why there is none. */
export function releaseKept(folder: string, { target, id, passages }: Release) {
  return orRefusal(async (): Promise<{ refused?: undefined; sha: string }> => {
    const repository = await openRepository(folder);
    await repository.commitHandEdits();
    const made = await repository.shaOf(id);
    if (made !== undefined) return { sha: made };
    const files = await (await openManuscript(folder)).read(target);
    const write = files.flatMap(({ path, content }) => {
      const own = passages.filter((each) => each.path === path).map(({ passage }) => passage);
      return own.length === 0 ? [] : [{ path, content: releaseMarks(content, own) }];
    });
    const subject = commitSubject(
      target,
      `release what was kept in ${write.map(({ path }) => nameOf(path)).join(", ")}`,
    );
    const base = await repository.head();
    const { sha } = await repository.commitIteration({ id, subject, change: { write, remove: [] }, base });
    return { sha };
  });
}
