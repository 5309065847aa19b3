// summarize: what the chosen attempt changed, in words and figures, and file by file as often as the author likes.

import { askAuthor } from "../asking.ts";
import { keepForDebugging } from "../debug-store.ts";
import { changedPaths, diffFiles } from "../diff/index.ts";
import { filesCalled, nameOfFile } from "../level/names.ts";
import { tell } from "../notes.ts";
import { loadAttempt, loadBefore } from "../saved.ts";
import { explainAttempt } from "../semantic-diff.ts";
import { countChanges } from "../style/measured.ts";
import { type Attempt, chosenAttempt, type NovelContext, type NovelState } from "../task.ts";

/** Says what changed, keeps it, and shows the texts. */
export async function summarize(state: NovelState, ctx: NovelContext) {
  const chosen = chosenAttempt(state);
  const [before, after = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, chosen)]);
  const told = state.shown === chosen.number ? {} : await tellSummary(state, ctx, chosen);
  const paths = changedPaths(before, after);
  const names = paths.map(nameOfFile);
  const answer = await askAuthor(ctx, {
    name: "detail",
    question: "View detailed text diff?",
    choices: [...names, "all", "skip"],
    default: "skip",
    about: { attempt: chosen.number, paths },
    means: {
      ...Object.fromEntries(names.map((name) => [name, `the changes of ${name} are shown`])),
      all: "the changes of all files are shown",
      skip: "nothing more is shown",
    },
    files: names,
  });
  const patch = { ...told, shown: chosen.number };
  if (answer.choice === "skip") return ctx.to("accept", patch);
  const isAll = answer.choice === "all" && (answer.files ?? []).length === 0;
  const shown = isAll ? paths : filesCalled([answer.choice, ...(answer.files ?? [])], paths);
  const files = diffFiles(before, after).filter(({ path }) => shown.includes(path));
  if (files.length > 0) await tell(ctx, "detail-shown", { name: answer.choice, files });
  return ctx.to("summarize", patch);
}

async function tellSummary(state: NovelState, ctx: NovelContext, chosen: Attempt) {
  await tell(ctx, "summary-began", { attempt: chosen.number });
  const { text, summary, figures, attempt } = await explainAttempt(ctx, state, chosen);
  await keepForDebugging(ctx, "debug", state.debug, { "final_semantic_diff.md": `${text.trimEnd()}\n` });
  const is_approved = attempt.judgment?.verdict === "approved";
  await tell(ctx, "semantic-diff", { attempt: attempt.number, text, summary, figures, is_approved });
  const [before, after = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, chosen)]);
  await tell(ctx, "words-counted", { files: countChanges(before, after) });
  const attempts = state.attempts.map((each) => (each.number === attempt.number ? attempt : each));
  return { attempts, summary };
}
