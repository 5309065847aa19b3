// amend: the run is stuck, and the consultant adds to the Domain Knowledge of task.md what the task lacks. Where it cannot
// tell, gives nothing usable, or has added too much already, a person is asked.

import { append, errorLine } from "@loopwright/core";
import { amendForm, askForm } from "../asking/answers.ts";
import { assertionClues, failingNames, makeQuestion, variablesOf } from "../asking/questions.ts";
import { noteConsultant, ring } from "../notes.ts";
import type { Amendment, CodeContext, CodeState } from "../task.ts";
import { addKnowledge, amendmentLine, fitAddition, isOverCap, writeAmendment } from "../task-file.ts";
import { readPlanFiles } from "../workspace.ts";

/** Asks for an amendment, writes it, and has everything planned again. */
export async function amend(state: CodeState, ctx: CodeContext) {
  const report = state.test_report!;
  await noteConsultant(ctx, "consultant", "what the task lacks");
  const question = await makeQuestion(ctx, "amend", {
    ...variablesOf(state, ctx.input, await readPlanFiles(ctx, state)),
    clues: assertionClues(report),
    failing: failingNames(report),
  });
  const { answer, fault } = await askForm(ctx, question, amendForm);
  const escalate = async (why: string) => {
    await ring(ctx, 3, why);
    return ctx.to("finalize", { stopping: { outcome: "escalated", reason: why } });
  };
  if (fault !== undefined) return escalate(`the amendment could not be read: ${errorLine(fault)}`);
  const { diagnosis, confidence } = answer;
  const words = diagnosis === "" ? "" : `: ${diagnosis}`;
  if (confidence === "low") return escalate(`the consultant has little confidence in an amendment${words}`);
  const addition = fitAddition(answer.dk_addition);
  if (addition === "") return escalate(`the consultant has nothing to add to the domain knowledge${words}`);
  const { iteration } = ctx;
  const { text, made_section } = addKnowledge(state.task, amendmentLine({ iteration, addition }));
  if (isOverCap(text, state.original_size))
    return escalate(`one more amendment would make the task file longer than amendments may make it${words}`);
  const { plan_generation } = state;
  const amendment: Amendment = { iteration, plan_generation, diagnosis, addition, confidence, made_section };
  const task = await write(ctx, amendment, text);
  await ctx.save("amendments.json", `${JSON.stringify([...state.amendments, amendment], null, 2)}\n`, "run");
  await ctx.tell("task-amended", { iteration, addition, in_file: ctx.input.task_file !== undefined });
  return ctx.to("summarize", { task, amendments: append(amendment) });
}

/** Writes task.md, where there is one; else the amended text stays in the run. */
async function write(ctx: CodeContext, amendment: Amendment, text: string): Promise<string> {
  const { task_file } = ctx.input;
  if (task_file === undefined) return text;
  return ctx.effect("write-task", { input: amendment, run: () => writeAmendment(task_file, amendment) });
}
