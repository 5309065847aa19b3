// What judges' answers come to. Pure.
//
// An answer that cannot be read is no ruling: it is asked for again, and then a person is asked; it never approves, and the
// writer never hears of it. Each item of the feedback is judged on its own and all must be met; of several judges all must
// approve, and of several parts that a change is shown in, each: the worst holds.

import { combine, type Finding, FormatError, type Opinion, type Verdict } from "@loopwright/core";
import { parseObject } from "@loopwright/models";
import { z } from "zod";
import { fileCalled } from "../reach/words.ts";
import type { NamedFile, Ruling } from "../task.ts";

export type { Ruling } from "../task.ts";

const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const texts = z.array(z.string()).default([]);
const Item = z.object({ met: z.boolean(), concerns: z.boolean().default(true), reasoning: z.string().default("") });
const Elsewhere = z.object({ file: z.string(), contradiction: z.string().default("") });
const verdict = z.enum(["approved", "needs_revision"]);

/** What a judge is shown, as far as reading its answer takes it. */
export interface Shown {
  feedback: readonly string[];
  /** The files that it is shown, and those of the level that were not touched. */
  files: readonly string[];
  untouched: readonly string[];
  /** Whether it is a part of the change alone. */
  isPart: boolean;
  /** Whether it is asked what contradicts the change in files that were not touched. */
  asksElsewhere?: boolean;
}

const Plain = z.object({
  verdict,
  reasoning: text,
  specific_issues: texts,
  suggestions: texts,
  revise: texts,
});
const WithElsewhere = Plain.extend({ elsewhere: z.array(Elsewhere).default([]) });

/** What a judge is asked for. Of a part alone, each item is asked about, for it may concern none of what is shown. */
export function judgeForm({ feedback, isPart, asksElsewhere }: Pick<Shown, "feedback" | "isPart" | "asksElsewhere">) {
  const form = asksElsewhere ? WithElsewhere : Plain;
  return feedback.length > 1 || isPart ? form.extend({ items: z.array(Item).length(feedback.length) }) : form;
}

/** Reads a judge's answer; throws FormatError where it is none. */
export function readRuling(answer: string, shown: Shown): Ruling {
  const { feedback } = shown;
  const form = judgeForm({ ...shown, asksElsewhere: true });
  const given = parseObject(answer, form) as z.output<typeof WithElsewhere> & { items?: z.output<typeof Item>[] };
  const { items } = given;
  const unmet = (items ?? []).flatMap(({ met, reasoning }, index) =>
    met ? [] : [`Not met: ${feedback[index]}${reasoning.trim() === "" ? "" : ` (${reasoning.trim()})`}`],
  );
  if (given.verdict === "needs_revision" && items && unmet.length === 0 && given.specific_issues.length === 0) {
    const message = "The verdict is needs_revision, but every item is met and no issue is named. Name what is wrong.";
    throw new FormatError("VERDICT_UNGROUNDED", message);
  }
  const isApproved = given.verdict === "approved" && unmet.length === 0;
  const revise = isApproved ? [] : given.revise.flatMap((name) => fileCalled(name, shown.files) ?? []);
  const elsewhere = elsewhereIn(given.elsewhere, shown.untouched);
  return {
    verdict: isApproved ? "approved" : "needs_revision",
    reasoning: given.reasoning.trim(),
    specific_issues: [...unmet, ...plainTexts(given.specific_issues)],
    suggestions: plainTexts(given.suggestions),
    // One that refuses and names no file means all that it was shown.
    revise: isApproved ? [] : revise.length > 0 ? [...new Set(revise)] : [...new Set(shown.files)],
    elsewhere,
    met: items ? items.length - unmet.length : Number(given.verdict === "approved"),
    items: items?.length ?? 1,
    ...(shown.isPart && items && { each: items }),
  };
}

function elsewhereIn(given: readonly z.output<typeof Elsewhere>[], untouched: readonly string[]): NamedFile[] {
  return given.flatMap(({ file, contradiction }) => {
    const path = fileCalled(file, untouched);
    return path === undefined ? [] : [{ path, why: contradiction.trim() }];
  });
}

function plainTexts(list: readonly string[]): string[] {
  return list.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** What a judge says of a change that it was shown in parts: approved where every part is, and each item is met in one. */
export function joinParts(parts: readonly Ruling[], feedback: readonly string[]): Ruling {
  const [first] = parts;
  if (!first) throw new Error("the judge was shown nothing");
  if (parts.length === 1) return first;
  const absent = feedback.filter((_, at) => parts.every(({ each }) => each?.[at]?.concerns === false));
  const isApproved = absent.length === 0 && parts.every((part) => part.verdict === "approved");
  const met = feedback.filter(
    (item, at) => !absent.includes(item) && parts.every(({ each }) => each?.[at]?.met ?? true),
  );
  const spoken = isApproved ? parts : parts.filter((part) => part.verdict !== "approved");
  return {
    verdict: isApproved ? "approved" : "needs_revision",
    reasoning: (spoken.length > 0 ? spoken : parts).map(({ reasoning }) => reasoning).join("\n\n"),
    specific_issues: [
      ...absent.map((item) => `Not met: ${item} (no part of the change concerns it)`),
      ...new Set(parts.flatMap(({ specific_issues }) => specific_issues)),
    ],
    suggestions: [...new Set(parts.flatMap(({ suggestions }) => suggestions))],
    revise: isApproved ? [] : [...new Set(parts.flatMap(({ revise = [] }) => revise))],
    elsewhere: onePerFile(parts.flatMap(({ elsewhere = [] }) => elsewhere)),
    met: met.length,
    items: feedback.length,
  };
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
    revise: [...new Set(rulings.flatMap(({ revise = [] }) => revise))],
    elsewhere: onePerFile(rulings.flatMap(({ elsewhere = [] }) => elsewhere)),
    met: Math.min(...rulings.map(({ met }) => met)),
    items: first.items,
  };
}

function onePerFile(files: readonly NamedFile[]): NamedFile[] {
  return [...new Map(files.toReversed().map((file) => [file.path, file])).values()].reverse();
}

/** The run's verdict: what the judges come to, as critics who must all be content. */
export function rulingsToVerdict(rulings: readonly Ruling[]): Verdict {
  const opinions = rulings.map((ruling, at): [string, Opinion] => [`judge-${at + 1}`, toOpinion(ruling)]);
  return combine(Object.fromEntries(opinions), { pass: 1 });
}

function toOpinion({ verdict: word, reasoning, specific_issues, met, items }: Ruling): Opinion {
  if (word === "approved") return { score: 1, findings: [], reason: reasoning };
  const findings = specific_issues.map(
    (message): Finding => ({ code: "JUDGE_ISSUE", severity: "hard", priority: 2, message }),
  );
  return { score: Math.min(met, items - 1) / items, findings, reason: reasoning };
}
