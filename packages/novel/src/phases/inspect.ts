// inspect: a person looks at the text itself, file by file, as often as they like.

import { changedPaths, diffFiles } from "../diff/index.ts";
import { tell } from "../notes.ts";
import { nameOfFile } from "../reach/words.ts";
import { loadAttempt, loadBefore } from "../saved.ts";
import { chosenAttempt, type NovelContext, type NovelState } from "../task.ts";

/** Asks what to look at, and shows it. */
export async function inspect(state: NovelState, ctx: NovelContext) {
  const attempt = chosenAttempt(state);
  const [before, after] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, attempt)]);
  const paths = changedPaths(before, after ?? []);
  const { choice } = await ctx.ask({
    name: "detail",
    question: "View detailed text diff?",
    choices: [...paths.map(nameOfFile), "all", "skip"],
    default: "skip",
    about: { attempt: attempt.number, paths },
  });
  if (choice === "skip") return ctx.to("accept");
  const shown = choice === "all" ? paths : paths.filter((path) => nameOfFile(path) === choice);
  const files = diffFiles(before, after ?? []).filter(({ path }) => shown.includes(path));
  await tell(ctx, "detail-shown", { name: choice, files });
  return ctx.to("inspect");
}
