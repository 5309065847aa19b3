// The vision-model form of a critic: pictures by our own rasterizer and measured figures go out, a score and findings by known
// codes come back. An answer without its form is no opinion (L9).

import { FormatError } from "@loopwright/core";
import { askObject, obtainObject, type Question, readPrompt, renderPrompt } from "@loopwright/models";
import { z } from "zod";
import { figuresToText } from "../evidence.ts";
import { promptsFolder } from "../folders.ts";
import type { CriticName } from "../gate/schema.ts";
import { type Code, type Figures, fillFigures, found, playbook } from "../playbook.ts";
import { viewWords } from "../renders.ts";
import { type Answer, kindToWords } from "../requirements.ts";
import type { FabContext, FabState } from "../task.ts";
import { type Vote, votes } from "../verdict/gate-verdict.ts";
import type { Looked } from "./measured.ts";

/** What a model makes of the asset, as one critic. */
export async function lookByModel(ctx: FabContext, state: FabState, name: CriticName): Promise<Looked> {
  const { kind, geometry } = ctx.input.gate;
  const codes = questions[name].codes
    .filter((code) => code !== "GEO_WHEEL_COUNT_LOW" || geometry.wheels !== undefined)
    .map((code) => ({ code, name: nameOf(code, kind) }));
  const asked = name === "alignment" ? state.asked.requirements : [];
  const Form = z.object({
    score: z.number().min(0).max(1),
    reason: z.string().trim().min(1),
    findings: z
      .array(
        z.object({
          code: z.enum(codes.map((each) => each.name) as [string, ...string[]]),
          message: z.string().trim().min(1).describe("what is wrong, and where"),
          fix: z.string().optional().describe("what to change, with figures"),
        }),
      )
      .max(8),
  });
  const Whole = Form.extend({ requirements: z.array(Says).describe("one entry for each requirement") });
  const list = codes.map(({ code, name: shown }) => `- ${shown}: ${meaning(code, state.figures)}`).join("\n");
  try {
    const requirements = asked
      .map(({ words, means }, at) => `${at + 1}. ${words}${means ? `: ${means}` : ""}`)
      .join("\n");
    const question = await makeQuestion(ctx, state, "critic", name, { codes: list, requirements });
    const form = asked.length > 0 ? Whole : Form;
    const looked = (await obtainObject(ctx, `look-${name}`, form, question)) as z.output<typeof Whole>;
    const { findings, requirements: said = [], ...rest } = looked;
    const told = findings.map(({ code, message, fix }) =>
      found(codes.find((each) => each.name === code)!.code, message, { kind, ...(fix !== undefined && { fix }) }),
    );
    const answers = asked.map(({ words }, at): Answer => {
      // One that is not answered was not seen.
      const { says = "cannot tell", reason = "the model said nothing of it" } =
        said.find(({ requirement }) => requirement === at + 1) ?? {};
      return { words, by: "alignment model", says, reason };
    });
    return { opinion: { ...rest, findings: told, ...(asked.length > 0 && { answers }) } };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { missing: `the model gave no usable opinion: ${error.message.split("\n", 1)[0]}` };
  }
}

const Says = z.object({
  requirement: z.number().int().describe("its number"),
  says: z
    .enum(["yes", "no", "cannot tell"])
    .describe("whether it holds; cannot tell where the pictures and figures do not show it"),
  reason: z.string().trim().min(1).describe("what shows it, in a few words"),
});

const VoteForm = z.object({ vote: z.enum(votes), reason: z.string() });

/** One vote on a critic's question; a missing or malformed one is unsure. */
export async function castVote(
  ctx: FabContext,
  state: FabState,
  { name, key, by }: { name: CriticName; key: string; by: Vote["by"] },
): Promise<Vote> {
  const question = await makeQuestion(ctx, state, "vote", name, {});
  try {
    return { by, ...(await askObject(ctx, key, VoteForm, { ...question, role: by })) };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { by, vote: "unsure", reason: `no usable vote: ${error.message.split("\n", 1)[0]}` };
  }
}

/** Views in clay that are shown beside the shaded ones. */
const CLAY = ["front_3q", "side_left"];

async function makeQuestion(
  ctx: FabContext,
  state: FabState,
  id: "critic" | "vote",
  name: CriticName,
  more: Readonly<Record<string, string>>,
): Promise<Question & { prompt: Awaited<ReturnType<typeof renderPrompt>> }> {
  const template = await readPrompt(ctx, { loop: "fab", folder: promptsFolder }, id);
  const shown = state.views.filter(({ view, style }) => style === "shaded" || CLAY.includes(view));
  const prompt = await renderPrompt(template, {
    critic: name,
    question: questions[name].question,
    kind: kindToWords(ctx.input.gate.kind),
    prompt: name === "alignment" ? (ctx.input.prompt ?? "") : "",
    figures: figuresToText(state.figures),
    pictures: shown.map(({ view, style }) => `${viewWords[view]}${style === "clay" ? ", in clay" : ""}`).join("; "),
    ...more,
  });
  return { prompt, images: shown.map(({ picture }) => picture), maxRetries: ctx.input.max_retries };
}

function nameOf(code: Code, kind: string): string {
  return code.replace("<KIND>", kind.toUpperCase());
}

/** What a code means: its first clause, for the rest is what was measured. */
function meaning(code: Code, figures: Figures): string {
  return fillFigures(playbook()[code].means, figures).split(/[;.](?:\s|$)/, 1)[0]!;
}

export const questions: Readonly<Record<CriticName, { question: string; codes: readonly Code[] }>> = {
  category: {
    question: "Is it one, from every side, and by its shape alone?",
    codes: ["CAT_NO_<KIND>_DETECTED", "CAT_LOW_CONFIDENCE", "CAT_CLAY_DISAGREEMENT", "CAT_UNSTABLE_DETECTION"],
  },
  alignment: {
    question:
      "Is it what was asked for: its color, its type and style, and every feature that is named? A feature that is only hinted at counts half.",
    codes: ["ALIGN_LOW_SIMILARITY", "ALIGN_MARGIN_LOW", "ALIGN_ATTRIBUTE_MISMATCH"],
  },
  realism: {
    question:
      "Does it look like a real one, at the size of these pictures and as a good asset for a game does: materials, proportions, detail, nothing blank or magenta?",
    codes: ["REAL_LOW_AESTHETIC", "REAL_NOISY_RENDER", "REAL_MISSING_TEXTURE", "REAL_LOW_ENTROPY", "REAL_CLIPPING"],
  },
  geometry: {
    question:
      "Is its shape sound: nothing missing, nothing that floats, no holes, the same left and right where it should be?",
    codes: [
      "GEO_UPSIDE_DOWN",
      "GEO_ASYMMETRIC",
      "GEO_WHEEL_COUNT_LOW",
      "GEO_NON_MANIFOLD",
      "GEO_NORMALS_INCONSISTENT",
      "GEO_FLOATING",
      "GEO_SURFACE_NOISE",
    ],
  },
  material: {
    question: "Has each part a material that fits what it is made of?",
    codes: ["MAT_NONE", "MAT_MISSING_TEXTURES"],
  },
};
