// The alignment check: the prompt's color, body type and materials, against those that the asset has.

import { found } from "../../playbook/found.ts";
import type { MeasuredCritic } from "../critic.ts";
import { attributesOf } from "./attributes.ts";

/** What an asset gets of whose prompt nothing can be measured: enough, and no more. */
const NOTHING_TO_MEASURE = 0.7;
/** Under these scores the asset is not what was asked for, and only just. */
const [LOW, MARGIN] = [0.5, 0.65];
/** From this score on an attribute is there. */
const MATCHED = 0.5;

export const alignment: MeasuredCritic = {
  name: "alignment",
  missing: ({ prompt }) => (prompt?.trim() ? undefined : "there is no prompt"),
  look: ({ prompt = "", model, gate }) => {
    const attributes = attributesOf(prompt, model, gate.kind);
    if (attributes.length === 0)
      return { score: NOTHING_TO_MEASURE, findings: [], reason: "the prompt says nothing that can be measured" };
    const score = attributes.reduce((sum, each) => sum + each.score, 0) / attributes.length;
    const wrong = attributes.filter((each) => each.score < MATCHED);
    const words = attributes.map((each) => each.words).join("; ");
    const code = score < LOW ? "ALIGN_LOW_SIMILARITY" : score < MARGIN ? "ALIGN_MARGIN_LOW" : undefined;
    const findings = wrong
      .slice(0, 1)
      .map(() => found("ALIGN_ATTRIBUTE_MISMATCH", wrong.map((each) => each.words).join("; ")));
    if (code) findings.push(found(code, words));
    return { score, findings, reason: words };
  },
};
