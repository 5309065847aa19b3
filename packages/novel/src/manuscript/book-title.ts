// The title of a book is its premise's.

import { PREMISE_PATH } from "./files/layout.ts";
import type { Manuscript } from "./files/open.ts";

/** What the book is called: by its premise, or by project.yaml where there is none. */
export function titleOfBook({ text, project }: Pick<Manuscript, "text" | "project">): string {
  try {
    const { title } = JSON.parse(text(PREMISE_PATH) ?? "{}") as { title?: unknown };
    return typeof title === "string" && title.trim() !== "" ? title.trim() : project.title;
  } catch {
    return project.title;
  }
}
