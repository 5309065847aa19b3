// What judges' answers come to. Pure.
//
// A malformed answer never approves: it is asked for again, and when that is spent it counts as a fail with its fault.
// Each item of the feedback is judged on its own and all must be met; of two judges both must approve.

import { type Finding, FormatError, fail, pass, type Verdict } from "@loopwright/core";
import { parseObject } from "@loopwright/models";
import { z } from "zod";
import type { Judgement } from "./task.ts";

const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const texts = z.array(z.string()).default([]);
const Item = z.object({ met: z.boolean(), reasoning: z.string().default("") });
const verdict = z.enum(["approved", "needs_revision"]);

/** What a judge is asked for. */
export function judgeForm(items: number) {
  const plain = { verdict, reasoning: text, specific_issues: texts, suggestions: texts };
  return items > 1 ? z.object({ ...plain, items: z.array(Item).length(items) }) : z.object(plain);
}

/** A judge's answer with how many of the items it finds met. */
export interface Ruling extends Judgement {
  met: number;
  items: number;
}

/** Reads a judge's answer; throws FormatError where it is none. */
export function readRuling(answer: string, feedback: readonly string[]): Ruling {
  const form = judgeForm(feedback.length);
  const given: z.output<ReturnType<typeof judgeForm>> = parseObject(answer, form);
  const items = "items" in given ? (given.items as z.output<typeof Item>[]) : undefined;
  const unmet = (items ?? []).flatMap(({ met, reasoning }, index) =>
    met ? [] : [`Not met: ${feedback[index]}${reasoning.trim() === "" ? "" : ` (${reasoning.trim()})`}`],
  );
  if (given.verdict === "needs_revision" && items && unmet.length === 0 && given.specific_issues.length === 0) {
    const message = "The verdict is needs_revision, but every item is met and no issue is named. Name what is wrong.";
    throw new FormatError("VERDICT_UNGROUNDED", message);
  }
  return {
    verdict: given.verdict === "approved" && unmet.length === 0 ? "approved" : "needs_revision",
    reasoning: given.reasoning.trim(),
    specific_issues: [...unmet, ...plainTexts(given.specific_issues)],
    suggestions: plainTexts(given.suggestions),
    met: items ? items.length - unmet.length : Number(given.verdict === "approved"),
    items: items?.length ?? 1,
  };
}

function plainTexts(list: readonly string[]): string[] {
  return list.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** The ruling of a judge whose answers had no usable form. */
export function malformedRuling(fault: string, items: number): Ruling {
  const reasoning = `The judge gave no usable verdict: ${fault.split("\n", 1)[0]}`;
  return { verdict: "needs_revision", reasoning, specific_issues: [], suggestions: [], met: 0, items };
}

/** What one or more judges come to: approved only where all approve. */
export function vote(rulings: readonly Ruling[]): Ruling {
  const [first] = rulings;
  if (!first) throw new Error("no judge was asked");
  if (rulings.length === 1) return first;
  const isApproved = rulings.every((ruling) => ruling.verdict === "approved");
  const word = { approved: "approves", needs_revision: "does not approve" };
  return {
    verdict: isApproved ? "approved" : "needs_revision",
    reasoning: rulings
      .map((ruling, index) => `Judge ${index + 1} ${word[ruling.verdict]}: ${ruling.reasoning}`)
      .join("\n\n"),
    specific_issues: [...new Set(rulings.flatMap(({ specific_issues }) => specific_issues))],
    suggestions: [...new Set(rulings.flatMap(({ suggestions }) => suggestions))],
    met: Math.min(...rulings.map(({ met }) => met)),
    items: first.items,
  };
}

/** A ruling as the run's verdict. */
export function rulingToVerdict({ verdict: word, reasoning, specific_issues, met, items }: Ruling): Verdict {
  if (word === "approved") return pass(1, reasoning);
  const findings = specific_issues.map(
    (message): Finding => ({ code: "JUDGE_ISSUE", severity: "hard", priority: 2, message }),
  );
  return fail(Math.min(met, items - 1) / items, reasoning, findings);
}
