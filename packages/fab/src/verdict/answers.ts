// Who is asked, and what everybody's answers to a requirement come to.

import type { Opinion } from "@loopwright/core";
import type { Looked } from "../critics/measured.ts";
import { type CriticName, criticNames, type GateConfig } from "../gate/schema.ts";
import { type Answer, isMeasurable, type JudgedRequirement, measured, type Requirement } from "../requirements.ts";

const all = ["measured", "model"] as const;
export type Form = (typeof all)[number];

/** What one critic has seen, by its two forms. */
export type Looks = { readonly [F in Form]?: Looked };

/** Who looks as a critic: of alignment nobody where nothing was asked for, and no check where it has nothing to measure. */
export function formsOf(name: CriticName, gate: GateConfig, requirements: readonly Requirement[]): Form[] {
  const by = gate.critics[name]?.by;
  const forms = all.filter((form) => by === form || by === "both" || (by === "available" && form === "measured"));
  if (name !== "alignment") return forms;
  return forms.filter((form) => (form === "model" ? requirements.length > 0 : isMeasurable(requirements, gate)));
}

/** The critics of a gate that a model is asked for. */
export function modelCritics(gate: GateConfig, requirements: readonly Requirement[]): CriticName[] {
  return criticNames.filter((name) => formsOf(name, gate, requirements).includes("model"));
}

type AllLooks = Readonly<Partial<Record<CriticName, Looks>>>;

/** What everybody says of each requirement. */
export function answerAll(
  requirements: readonly Requirement[],
  looks: AllLooks,
  gate: GateConfig,
): JudgedRequirement[] {
  return requirements.map((requirement) => {
    const answers = all.flatMap((form) => answersBy(form, requirement, looks, gate));
    const isSaid = (word: Answer["says"]) => answers.some(({ says }) => says === word);
    return { ...requirement, result: isSaid("no") ? "unmet" : isSaid("yes") ? "met" : "unjudged", answers };
  });
}

/** The answers of alignment; whether it is of its kind is what the category says. */
function answersBy(form: Form, requirement: Requirement, looks: AllLooks, gate: GateConfig): Omit<Answer, "words">[] {
  const [alignment, category] = [opinionOf(looks.alignment?.[form]), opinionOf(looks.category?.[form])];
  const own = (alignment?.answers ?? [])
    .filter(({ words }) => words === requirement.words)
    .map(({ words: _, ...answer }) => answer);
  const isOfKind = measured(requirement, gate).some(({ measure }) => measure === "kind");
  return isOfKind && category ? [kindAnswer(form, category, gate), ...own] : own;
}

function kindAnswer(form: Form, { score, findings, reason }: Opinion, { critics }: GateConfig): Omit<Answer, "words"> {
  const isNone = score < (critics.category?.floor ?? 0) || findings.some(({ severity }) => severity === "hard");
  return { by: form === "model" ? "category model" : "category check", says: isNone ? "no" : "yes", reason };
}

function opinionOf(look: Looked | undefined) {
  return look && "opinion" in look ? look.opinion : undefined;
}
