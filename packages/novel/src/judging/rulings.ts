// What judges' answers come to. Pure.
//
// An answer that cannot be read is no ruling: it is asked for again, and then a person is asked; it never approves, and the
// writer never hears of it. Each item of the feedback is judged on its own and all must be met; of several judges all must
// approve, and of several parts that a change is shown in, each: the worst holds.

import { combine, type Finding, FormatError, type Opinion, type Verdict } from "@loopwright/core";
import { parseObject } from "@loopwright/models";
import { z } from "zod";
import { fileCalled, nameOfFile } from "../level/names.ts";
import type { Judgment, NamedFile } from "../task.ts";

/** A judge's answer with how many of the items it finds met, and which of them concern what it was shown. */
export interface Ruling extends Judgment {
  met: number;
  items: number;
  each?: z.output<typeof Item>[];
}

const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const texts = z.array(z.string()).default([]);
const Item = z.object({ met: z.boolean(), concerns: z.boolean().default(true), reasoning: z.string().default("") });
const Named = z.array(z.object({ file: z.string(), why: z.string().default("") })).default([]);

/** What a judge is shown, as far as reading its answer takes it. */
export interface Shown {
  feedback: readonly string[];
  /** The files that it is shown, and those of the level that were not touched. */
  files: readonly string[];
  untouched: readonly string[];
  /** Whether it is a part of the change alone. */
  isPart: boolean;
  /** Whether it is asked which files are missing from the change, or in it without need. */
  asksReach: boolean;
}

const Plain = z.object({
  verdict: z.enum(["approved", "needs_revision"]),
  reasoning: text,
  specific_issues: texts,
  suggestions: texts,
  revise: texts,
  missing: Named,
  superfluous: Named,
});
const WithItems = Plain.extend({ items: z.array(Item) });

/** What a judge is asked for, and nothing that its prompt does not speak of. Of a part alone, each item is asked about, for it may concern
 * none of what is shown. */
export function judgeForm(shown: Shown) {
  const form = fullForm(shown);
  const isOne = shown.files.length === 1;
  return form.omit({ ...(isOne && { revise: true }), ...(!shown.asksReach && { missing: true, superfluous: true }) });
}

function fullForm({ feedback, isPart }: Shown) {
  return feedback.length > 1 || isPart ? Plain.extend({ items: z.array(Item).length(feedback.length) }) : Plain;
}

/** Reads a judge's answer; throws FormatError where it is none. */
export function readRuling(answer: string, shown: Shown): Ruling {
  const { feedback } = shown;
  const given = parseObject(answer, fullForm(shown)) as z.output<typeof Plain> & Partial<z.output<typeof WithItems>>;
  const { items } = given;
  const unmet = (items ?? []).flatMap(({ met, reasoning }, index) =>
    met ? [] : [`Not met: ${feedback[index]}${reasoning.trim() === "" ? "" : ` (${reasoning.trim()})`}`],
  );
  const missing = namedIn(given.missing, shown.untouched);
  const superfluous = namedIn(given.superfluous, shown.files);
  const issues = [
    ...unmet,
    ...plainTexts(given.specific_issues),
    ...missing.map(({ path, why }) => `${nameOfFile(path)}: must change too (${why})`),
    ...superfluous.map(({ path, why }) => `${nameOfFile(path)}: should have stayed as it was (${why})`),
  ];
  if (given.verdict === "needs_revision" && items && issues.length === 0) {
    const message = "The verdict is needs_revision, but every item is met and no issue is named. Name what is wrong.";
    throw new FormatError("VERDICT_UNGROUNDED", message);
  }
  const isApproved = given.verdict === "approved" && unmet.length + missing.length + superfluous.length === 0;
  const revise = given.revise.flatMap((name) => fileCalled(name, shown.files) ?? []);
  // One that refuses and names no file means all that it was shown; one that only misses a ripple, none of it.
  const isOnlyReach =
    unmet.length === 0 && given.specific_issues.length === 0 && missing.length + superfluous.length > 0;
  const meant = revise.length > 0 || isOnlyReach ? revise : shown.files;
  return {
    verdict: isApproved ? "approved" : "needs_revision",
    reasoning: given.reasoning.trim(),
    specific_issues: issues,
    suggestions: plainTexts(given.suggestions),
    revise: isApproved ? [] : [...new Set(meant)],
    missing,
    superfluous,
    by: [],
    is_split: false,
    met: items ? items.length - unmet.length : Number(isApproved),
    items: items?.length ?? 1,
    ...(shown.isPart && items && { each: items }),
  };
}

function namedIn(given: z.output<typeof Named>, paths: readonly string[]): NamedFile[] {
  return given.flatMap(({ file, why }) => {
    const path = fileCalled(file, paths);
    return path === undefined ? [] : [{ path, why: why.trim() }];
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
  const joined = together(parts);
  const isApproved = absent.length === 0 && joined.verdict === "approved";
  const met = feedback.filter(
    (item, at) => !absent.includes(item) && parts.every(({ each }) => each?.[at]?.met ?? true),
  );
  const spoken = isApproved ? parts : parts.filter((part) => part.verdict !== "approved");
  return {
    ...joined,
    verdict: isApproved ? "approved" : "needs_revision",
    reasoning: (spoken.length > 0 ? spoken : parts).map(({ reasoning }) => reasoning).join("\n\n"),
    specific_issues: [
      ...absent.map((item) => `Not met: ${item} (no part of the change concerns it)`),
      ...joined.specific_issues,
    ],
    met: met.length,
    items: feedback.length,
  };
}

/** What one or more judges come to: approved only where all approve. */
export function vote(rulings: readonly Ruling[]): Ruling {
  const [first] = rulings;
  if (!first) throw new Error("no judge was asked");
  if (rulings.length === 1) return first;
  const word = { approved: "approves", needs_revision: "does not approve" };
  return {
    ...together(rulings),
    reasoning: rulings
      .map((ruling, index) => `Judge ${index + 1} ${word[ruling.verdict]}: ${ruling.reasoning}`)
      .join("\n\n"),
    is_split: new Set(rulings.map(({ verdict }) => verdict)).size > 1,
  };
}

/** All that several say: the worst verdict holds, and each thing is named once. */
function together(rulings: readonly Ruling[]): Ruling {
  const once = (pick: (ruling: Ruling) => readonly string[]) => [...new Set(rulings.flatMap(pick))];
  const perFile = (pick: (ruling: Ruling) => readonly NamedFile[]) => [
    ...new Map(
      rulings
        .toReversed()
        .flatMap(pick)
        .map((file) => [file.path, file]),
    ).values(),
  ];
  const isApproved = rulings.every(({ verdict }) => verdict === "approved");
  return {
    verdict: isApproved ? "approved" : "needs_revision",
    reasoning: "",
    specific_issues: once(({ specific_issues }) => specific_issues),
    suggestions: once(({ suggestions }) => suggestions),
    revise: once(({ revise }) => revise),
    missing: perFile(({ missing }) => missing),
    superfluous: perFile(({ superfluous }) => superfluous),
    by: once(({ by }) => by),
    is_split: false,
    met: Math.min(...rulings.map(({ met }) => met)),
    items: rulings[0]!.items,
  };
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
