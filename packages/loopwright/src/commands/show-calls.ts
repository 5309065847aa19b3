// `loopwright show <run> --calls` and `--call N`: what the run's models were asked, and what they answered.

import { type ModelAnswer, type Project, usage } from "@loopwright/core";
import { modelCalls, type RecordedCall } from "@loopwright/models/calls";
import { cut, pad, plainLine, showCount, showDollars, showDuration, showNumber } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";

/** Lists the calls of a run. */
export async function showCalls(cli: Cli, project: Project, run: string): Promise<number> {
  const calls = await callsOf(project, run);
  const { terminal } = cli;
  if (terminal.isJson) {
    terminal.document("calls", { run, calls: calls.map((call, index) => callToJson(call, index + 1)) });
    return 0;
  }
  if (calls.length === 0) terminal.print("This run has called no model.");
  for (const [index, call] of calls.entries()) {
    const { role, answer, details, error, usage: used } = call;
    const facts = [
      pad(String(index + 1), 4),
      pad(plainLine(role), 12),
      pad(plainLine(answer?.model ?? call.request.id ?? ""), 20),
      pad(`${showNumber(used?.tokens ?? 0)} tokens`, 14),
      pad(details.costKnown === false ? "cost unknown" : showDollars(used?.usd ?? 0), 12),
      pad(details.ms === undefined ? "" : showDuration(details.ms), 8),
    ];
    const words = error
      ? `failed: ${error.message}`
      : answer
        ? answerToText(answer)
        : "under way when its process died";
    terminal.print(cut(`${facts.join(" ")} ${plainLine(words.slice(0, 400))}`, terminal.columns - 1));
  }
  return 0;
}

/** Shows one call whole. */
export async function showCall(cli: Cli, project: Project, run: string, number: number): Promise<number> {
  const calls = await callsOf(project, run);
  const call = calls[number - 1];
  if (!call)
    throw usage(`run ${run} has had ${showCount(calls.length, "call")} of models, so there is no call ${number}`);
  const { terminal } = cli;
  if (terminal.isJson) {
    terminal.document("call", { run, ...callToJson(call, number), request: call.request, answer: call.answer ?? null });
    return 0;
  }
  const { request, answer, error, details } = call;
  const printPart = (words: string, text?: string) => {
    terminal.print(terminal.style("bold", `\n── ${words}`));
    for (const line of text?.split("\n") ?? [])
      terminal.print(line.trim() === "" ? "" : `${/^\s*/.exec(line)![0]}${plainLine(line)}`);
  };
  const tries = (details.tries ?? []).map(({ endpoint, error: why }) => `  failed at ${endpoint}: ${why}`);
  terminal.print(`call ${number}, role ${plainLine(call.role)}, phase visit ${call.visit}, key ${plainLine(call.key)}`);
  const { asked = "?", endpoint = "?" } = details;
  terminal.print(`asked ${asked} at ${endpoint}, answered by ${answer?.model ?? "no one"}`);
  for (const line of tries) terminal.print(plainLine(line));
  for (const { part, from, to } of details.cut ?? [])
    terminal.print(`  '${part}' was cut from ${from} to ${to} tokens`);
  const { system, prompt } = request;
  if (system) printPart("system", system);
  printPart("prompt", typeof prompt === "string" ? prompt : prompt.map(({ text }) => text).join("\n\n"));
  const ending = error ? `failed: ${plainLine(error.message)}` : `answer (${answer?.finishReason ?? "none"})`;
  printPart(ending, answer ? answerToText(answer) : undefined);
  return 0;
}

/** What a model said, and the tools that it called. */
function answerToText({ text, toolCalls = [] }: ModelAnswer): string {
  const calls = toolCalls.map(({ name, input }) => `→ ${name} ${JSON.stringify(input)}`);
  return [...(text === "" ? [] : [text]), ...calls].join("\n");
}

/** Every call of a model in a run. */
export async function callsOf(project: Project, run: string): Promise<RecordedCall[]> {
  return modelCalls(await Array.fromAsync(project.events(run)));
}

function callToJson({ role, visit, key, answer, error, usage: used, details }: RecordedCall, number: number) {
  const { model = null, finishReason = null } = answer ?? {};
  const { tokens = 0, usd = 0 } = used ?? {};
  return { number, role, visit, key, model, finishReason, tokens, usd, details, error: error ?? null };
}
