// What an author said themselves: feedback without the sentences that the loop puts around it.

import type { NovelTask } from "../task.ts";

/** The author's own words, an item each. */
export function authorsWords({ feedback, cascade }: Pick<NovelTask, "feedback" | "cascade">): string[] {
  const items = cascade ? [cascade.feedback] : feedback;
  return items.map(withoutQuestion).filter((item) => item !== "");
}

/** An item without the question that it answers. */
export function withoutQuestion(item: string): string {
  return item.replace(/ \(said of "[\s\S]*?", when asked "[\s\S]*"\)$/, "").trim();
}
