// What changed in a level below, for the levels above that are to follow it.

import { renderLineChange } from "../diff/line-change.ts";
import { levelOf, nameOf } from "../manuscript/files/layout.ts";
import type { Repository } from "../repository/repository.ts";
import type { Level } from "../types.ts";

/** More would bury what matters. */
const LONGEST = 16_000;

/** The change that an iteration, or a commit, made to a level, in words and lines. */
export async function changesBelow(
  repository: Pick<Repository, "shaOf" | "changeOf">,
  level: Level,
  iteration: string,
): Promise<string[]> {
  const files = await repository.changeOf((await repository.shaOf(iteration)) ?? iteration);
  const own = files.filter(({ path }) => levelOf(path) === level);
  const share = Math.max(600, Math.floor(LONGEST / Math.max(1, own.length)));
  let left = LONGEST;
  return own.flatMap(({ path, before = "", after = "" }) => {
    const text = renderLineChange(before, after, Math.min(share, left));
    left -= text.length;
    return text === "" || left < 0 ? [] : [`${nameOf(path)} (${path}) below has changed:\n${text}`];
  });
}
