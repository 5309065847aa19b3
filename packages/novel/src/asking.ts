// Gates: questions to the author. The words of a gate are few and exact; whatever else an author types, in any language, comes as the
// choice `say`, and a model reads which of the gate's choices it means and what of it the writer is to be told.

import { type Answer, FormatError, type GateSpec, InfrastructureError } from "@loopwright/core";
import { obtainObject } from "@loopwright/models";
import { z } from "zod";
import { tell } from "./notes.ts";
import { SAY } from "./said.ts";
import type { NovelContext } from "./task.ts";
import { makeQuestion } from "./writing/questions.ts";

/** A question, and what each choice does, for whoever reads an answer in other words. */
interface AuthorGate<Choice extends string> extends GateSpec<Choice> {
  means: Readonly<Record<Choice, string>>;
  /** Files that an answer may name. */
  files?: readonly string[];
}

/** An author's answer; `say` where nobody can tell what they mean, and the phase asks anew. */
interface AuthorAnswer<Choice extends string> extends Answer<Choice | typeof SAY> {
  files?: string[];
}

/** Asks the author. */
export async function askAuthor<Choice extends string>(
  ctx: NovelContext,
  { means, files = [], accepting, ...gate }: AuthorGate<Choice>,
): Promise<AuthorAnswer<Choice>> {
  const choices: readonly (Choice | typeof SAY)[] = [...gate.choices, SAY];
  // Words that are read as an acceptance are one: whatever else they mean, the run does not come to its end by them.
  const answer = await ctx.ask<Choice | typeof SAY>({
    ...gate,
    choices,
    default: gate.default,
    ...(accepting && { accepting: [...accepting, SAY] }),
  });
  if (answer.choice !== SAY) return answer;
  const given = answer.note?.trim() ?? "";
  if (given === "") return { choice: SAY };
  const names = gate.choices.map((choice) => ({ choice, means: means[choice] }));
  const question = await makeQuestion(ctx, "reply", { question: gate.question, choices: names, answer: given, files });
  const form = z.object({
    choice: z.enum([...gate.choices, "unclear"]),
    note: z.string().default(""),
    files: z.array(z.string()).default([]),
    back: z.string().default(""),
  });
  try {
    const read = await obtainObject(ctx, `read-${gate.name}`, form, question);
    if (read.choice !== "unclear") {
      await tell(ctx, "reply-read", { answer: given, choice: read.choice, note: read.note });
      const note = read.note || (read.files.length > 0 ? given : "");
      // A file may be named as it was listed, with its title.
      const named = read.files.map((name) => name.replace(/ \(.*\)$/, ""));
      return { choice: read.choice as Choice, note, files: named };
    }
    await tell(ctx, "warning", { code: "REPLY_UNCLEAR", message: read.back || `'${given}' is none of the answers` });
  } catch (error) {
    // A book is edited and undone without any model, too.
    const isAlone = error instanceof InfrastructureError && error.code === "MODEL_UNKNOWN";
    if (!isAlone && !(error instanceof FormatError)) throw error;
    const why = isAlone ? "is none of the answers, and there is no model to read it" : "could not be read as an answer";
    await tell(ctx, "warning", { code: "REPLY_UNCLEAR", message: `'${given}' ${why}` });
  }
  return { choice: SAY };
}
