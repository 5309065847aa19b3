// What a file is made from: the chapter's own plan and the foundation for prose, the nearest level above for everything
// else. What stands further above reaches a file through these, so a change that they do not take up ends with them.

import { type Level, levels } from "../../types.ts";
import { bookPart, FOUNDATION_PATH, folderOf, levelOf } from "../files/layout.ts";

/** The files of a project, as far as it matters here. */
export interface Sources {
  paths(level: Level): readonly string[];
}

/** The files that a file is made from, of those that there are. */
export function sourcesOf(path: string, { paths }: Sources): string[] {
  const level = levelOf(path);
  const nearest = levels.slice(0, level ? levels.indexOf(level) : 0).findLast((above) => paths(above).length > 0);
  if (nearest === undefined) return [];
  const plan = planOf(path);
  // A part of the prose without a number that nobody planned is its author's own, and made from nothing.
  if (level === "prose" && bookPart(path) !== undefined && !paths("chapters").includes(plan)) return [];
  if (nearest !== "chapters") return [...paths(nearest)];
  return paths(nearest).filter((above) => above === FOUNDATION_PATH || above === plan);
}

/** The path of the plan that a chapter of prose has, whether it is there or not. */
export function planOf(path: string): string {
  return `${folderOf("chapters")}/${path.slice(path.lastIndexOf("/") + 1)}`;
}
