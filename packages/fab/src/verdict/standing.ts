// From opinions to how an asset stands: the core's combine gives the overall score, and what is missing or below its floor.

import { combine, type Finding, type Opinion } from "@loopwright/core";
import { showScore } from "@loopwright/terminal";
import { LEFT_BY_HARD } from "../critics/critic.ts";
import type { Looked } from "../critics/measured.ts";
import { type CriticName, criticNames, type GateConfig } from "../gate/schema.ts";
import { found } from "../playbook.ts";
import type { JudgedRequirement, Requirement } from "../requirements.ts";
import { answerAll, type Form, formsOf, type Looks } from "./answers.ts";
import type { Standing } from "./decide.ts";
import type { GateVerdict } from "./gate-verdict.ts";

export interface Judged extends Standing {
  /** Everything that was found, the most urgent first. */
  findings: readonly Finding[];
  /** null for a critic that could not look. */
  scores: Readonly<Partial<Record<CriticName, number | null>>>;
  /** What each critic said, by check and by model. */
  opinions: GateVerdict["opinions"];
  /** Everything that was asked for, and who says what of it. */
  requirements: readonly JudgedRequirement[];
  notes: readonly string[];
}

interface Seen {
  looks: Readonly<Partial<Record<CriticName, Looks>>>;
  /** What went wrong before any critic could look. */
  problems: readonly Finding[];
  /** None where nobody has said what it should be. */
  requirements: readonly Requirement[];
}

/** How an asset stands at a gate. */
export function judge({ looks, problems, requirements }: Seen, gate: GateConfig): Judged {
  const asked = criticNames.filter((name) => gate.critics[name]);
  const forms = (name: CriticName) => formsOf(name, gate, requirements);
  const merged = Object.fromEntries(asked.map((name) => [name, merge(forms(name), looks[name])]));
  const optional = asked.filter((name) => gate.critics[name]!.optional || forms(name).length === 0);
  const opinions = Object.fromEntries(asked.map((name) => [name, merged[name]!.opinion]));
  const { score, findings: given } = combine(opinions, {
    pass: gate.pass,
    weights: Object.fromEntries(asked.map((name) => [name, gate.critics[name]!.weight])),
    floors: Object.fromEntries(
      asked.flatMap((name) => (gate.critics[name]!.floor === undefined ? [] : [[name, gate.critics[name]!.floor]])),
    ),
    optional,
  });
  // An asset that nobody could open has one thing wrong with it, and not one for each critic.
  const wasSeen = problems.length === 0 || Object.keys(looks).length > 0;
  const told = wasSeen ? given.map((finding) => explain(finding, merged)) : [];
  const low =
    wasSeen && score < gate.pass
      ? [found("OVERALL_SCORE_LOW", `overall ${showScore(score)}; needed ${gate.pass}`)]
      : [];
  const answered = answerAll(requirements, looks, gate);
  const those = (wanted: JudgedRequirement["result"]) => answered.filter(({ result }) => result === wanted);
  const unmet = those("unmet");
  const why = unmet.map(({ words, answers }) => [words, ...answers.map(({ reason }) => reason)].join(": "));
  const wrong = unmet.length > 0 ? [found("ALIGN_ATTRIBUTE_MISMATCH", `not as asked for: ${why.join("; ")}`)] : [];
  const findings = unique([...problems, ...wrong, ...told, ...low]).toSorted((a, b) => a.priority - b.priority);
  const scores = Object.fromEntries(asked.map((name) => [name, opinions[name]?.score ?? null]));
  const hard = findings.filter(({ severity }) => severity === "hard").map(({ code }) => code);
  return {
    score,
    scores,
    findings,
    hard,
    below: asked.filter((name) => isBelow(opinions[name], gate.critics[name]!.floor)),
    hasCrashed: hard.includes("BLENDER_CRASH"),
    isAdversarial: isAdversarial(opinions, gate),
    unmet: unmet.map(({ words }) => words),
    unjudged: those("unjudged").map(({ words }) => words),
    requirements: answered,
    opinions: Object.fromEntries(asked.map((name) => [name, opinionsOf(looks[name])])),
    notes: optional
      .filter((name) => !opinions[name])
      .map((name) => noteOf(name, requirements.length > 0, merged[name]!.missing)),
  };
}

function opinionsOf({ measured, model }: Looks = {}): GateVerdict["opinions"][string] {
  const told = (by: "check" | "model", look: Looked | undefined) =>
    look && "opinion" in look ? [{ by, score: look.opinion.score, reason: look.opinion.reason }] : [];
  return [...told("check", measured), ...told("model", model)];
}

const NOBODY = "nobody was asked";

type Merged = { opinion?: Opinion; missing?: string };

/** One opinion of two forms: the lower score holds, and both must have looked. */
function merge(forms: readonly Form[], looks: Looks = {}): Merged {
  if (forms.length === 0) return { missing: NOBODY };
  const wanted = forms.map((form) => looks[form]);
  const missing = wanted.find((look) => !look || "missing" in look);
  if (wanted.includes(undefined)) return { missing: "it was not asked" };
  if (missing && "missing" in missing) return { missing: missing.missing };
  const opinions = wanted.map((look) => (look as { opinion: Opinion }).opinion);
  const lowest = opinions.reduce((low, each) => (each.score < low.score ? each : low));
  return {
    opinion: {
      score: lowest.score,
      findings: unique(opinions.flatMap(({ findings }) => findings)),
      reason: opinions.map(({ reason }) => reason).join("; "),
    },
  };
}

/** The core knows that a critic gave no opinion; why is known here. */
function explain(finding: Finding, merged: Readonly<Record<string, Merged>>): Finding {
  const critic = finding.code.endsWith("_NOT_RUN") ? finding.code.slice(0, -"_NOT_RUN".length).toLowerCase() : "";
  const missing = merged[critic]?.missing;
  return missing === undefined ? finding : { ...finding, message: `${critic} could not be judged: ${missing}` };
}

function noteOf(name: CriticName, hasPrompt: boolean, missing: string | undefined): string {
  const why = hasPrompt ? "no check measures what was asked for" : "there is no prompt";
  if (missing === NOBODY) return `${why}, so alignment was left out and the others make up the whole`;
  return `${name} is optional and was left out: ${missing}`;
}

/** Under this score geometry is a catastrophe. */
const CATASTROPHE = 0.2;

/** It passes for what was asked for, and no such thing could have this geometry. */
function isAdversarial(opinions: Readonly<Record<string, Opinion | undefined>>, { critics }: GateConfig): boolean {
  const { geometry, category, alignment } = opinions;
  if (!geometry || !category) return false;
  const isConvincing =
    !isBelow(category, critics.category?.floor) && (!alignment || !isBelow(alignment, critics.alignment?.floor));
  const hard = new Set(geometry.findings.filter(({ severity }) => severity === "hard").map(({ code }) => code));
  // A wrong scale is a repair, and says nothing of the shape.
  const score = hard.has("GEO_SCALE_IMPLAUSIBLE") ? geometry.score / LEFT_BY_HARD : geometry.score;
  return isConvincing && (score < CATASTROPHE || hard.size >= 2);
}

function isBelow(opinion: Opinion | undefined, floor: number | undefined): boolean {
  return opinion !== undefined && floor !== undefined && opinion.score < floor;
}

/** Each code once, as it was first found. */
function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.toReversed().map((finding) => [finding.code, finding])).values()].toReversed();
}
