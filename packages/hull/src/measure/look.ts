// One look of the evaluator: it reads the pictures and the export that were saved, measures them beside the references,
// asks a model where the task wants that, and puts its feedback and its verdict on record. It executes nothing.
//
// What is measured comes first: a model sees it, cannot pass what it fails, and a gross failure passes under nobody.

import { combine, type Opinion, type Problem, type Verdict } from "@loopwright/core";
import { checkMesh, compareMasks, glbToMesh, type Picture, pictureToPng } from "@loopwright/mesh";
import { retryWithModel } from "@loopwright/models";
import { showScore } from "@loopwright/terminal";
import { evaluatorQuestion, parseEvaluatorAnswer } from "../phases/asking.ts";
import { Feedback, type HullContext, type HullState, type HullTask } from "../task/task.ts";
import type { Scene } from "../workcell/cells.ts";
import type { Evidence } from "./findings.ts";
import { grossFindings, partFigures } from "./gross.ts";
import { type Measurement, measure } from "./measure.ts";
import { outlinesOf } from "./outlines.ts";
import { measuredNames, pngToMask, referenceMasks, seenAs } from "./references.ts";
import type { Masks, ReferenceView } from "./score.ts";

type Seen = Pick<Scene, "current_renders" | "current_glb" | "scene_snapshot"> & Pick<HullState, "references">;
type Compared = NonNullable<HullState["compared"]>;

/** Judges a scene as it stands on record. */
export async function look(
  ctx: HullContext,
  scene: Seen,
  failure: Problem | undefined,
): Promise<{ feedback: Feedback; verdict: Verdict; compared: Compared | undefined }> {
  const evidence = await gather(ctx, scene, failure);
  const { score_threshold } = ctx.input;
  // Of nothing a model has nothing to say.
  const evaluator = evidence.surface.triangles === 0 ? "measure" : ctx.input.evaluator;
  const measured = measureAll(evidence, ctx.input);
  const unknown = Object.keys(ctx.input.references).filter((name) => !(name in evidence.references));
  const compared = await compare(ctx, evidence);
  const seen = evaluator === "measure" ? undefined : await askEvaluator(ctx, { ...scene, compared }, measured.feedback);
  const measuredOpinion = {
    score: measured.feedback.overall_score,
    findings: measured.findings,
    reason: [measured.reason, ...(evaluator === "measure" ? unknown.map(unjudged) : [])].join("; "),
  };
  const hasShape = compared !== undefined;
  const model = seen && opinionOf(seen, measured, { evaluator, unknown, hasShape });
  // Where no shape was measured, the model's word comes first.
  const both = hasShape ? { measure: measuredOpinion, model } : { model, measure: measuredOpinion };
  const verdict = ctx.verdict(
    evaluator === "measure"
      ? combine({ measure: measuredOpinion }, { pass: score_threshold })
      : combine(both, { pass: score_threshold, weights: { measure: 0 } }),
  );
  const feedback = seen ? merge(measured, seen, verdict, evaluator) : measured.feedback;
  await ctx.save("feedback.json", `${JSON.stringify(feedback, null, 2)}\n`);
  return { feedback, verdict, compared };
}

/** What was made over what was wanted: as a picture, and in numbers. */
async function compare(ctx: HullContext, evidence: Evidence): Promise<Compared | undefined> {
  const pictures = Object.entries(evidence.references).map(([view, wanted]) =>
    compareMasks(evidence.masks[view]!, wanted),
  );
  if (pictures.length === 0) return undefined;
  const picture = await ctx.save("compare.png", pictureToPng(joinPictures(pictures)));
  return { picture, outlines: outlinesOf(evidence) };
}

async function gather(ctx: HullContext, scene: Seen, failure: Problem | undefined): Promise<Evidence> {
  const { render_size } = ctx.input;
  const frame = ctx.input.frame;
  const seen = async (view: ReferenceView) => pngToMask(await ctx.load(scene.current_renders[view]!));
  const named: Masks = { front: await seen("front"), side: await seen("side"), top: await seen("top") };
  const mesh = await glbToMesh(await ctx.load(scene.current_glb));
  const others = measuredNames(ctx.input).filter((name) => !(name in named));
  const masks = {
    ...named,
    ...Object.fromEntries(others.map((name) => [name, seenAs(mesh, name, ctx.input, render_size)])),
  };
  const surface = checkMesh(mesh);
  const parts = ctx.input.workcell === "loft" ? undefined : partFigures(mesh, surface);
  const references = referenceMasks(ctx.input, render_size);
  return {
    masks,
    references,
    frame,
    surface,
    parts,
    failure,
    ...(ctx.input.closed !== "required" && { closed: ctx.input.closed, mesh }),
  };
}

/** Gross failures are looked for in what generated code has made; a loft can make none. */
function measureAll(evidence: Evidence, { score_threshold, workcell }: HullTask): Measurement {
  return measure(evidence, score_threshold, workcell === "loft" ? [] : grossFindings(evidence));
}

/** What the model says of it; undefined where no answer had a usable form, and that never passes. */
async function askEvaluator(
  ctx: HullContext,
  scene: Seen & { compared: Compared | undefined },
  measured: Feedback,
): Promise<Feedback | undefined> {
  const { work, failure } = await retryWithModel<HullTask, HullState, Feedback, null>(ctx, {
    ...(await evaluatorQuestion(ctx, scene, measured)),
    schema: Feedback,
    read: parseEvaluatorAnswer,
    execute: async () => null,
  });
  return failure ? undefined : work;
}

const unjudged = (name: string) => `nobody judged ${name}: its view is not known`;

/** What the model says. With both, the lower score holds; of what is useless no model can say anything better than what was
 * measured, and where no shape was, what it says counts half: it must not be taken for the best. */
function opinionOf(
  { overall_score: said, detected_issues }: Feedback,
  { findings: found, feedback }: Measurement,
  { evaluator, unknown, hasShape }: { evaluator: HullTask["evaluator"]; unknown: readonly string[]; hasShape: boolean },
): Opinion {
  const isUseless = found.some(({ severity }) => severity === "hard");
  const measured = hasShape ? feedback.overall_score : said / 2;
  const score = evaluator === "both" || isUseless ? Math.min(said, measured) : said;
  const findings = detected_issues.map((message) => ({
    code: "MODEL_ISSUE",
    severity: "soft" as const,
    priority: 3 as const,
    message: `seen by the model: ${message}`,
  }));
  const alone = unknown.length > 0 ? `, and it alone has judged ${unknown.join(", ")}` : "";
  return { score, findings, reason: `the model scores it ${showScore(said)}${alone}` };
}

/** Both in one: what is grossly wrong first, then what each has seen. */
function merge(measured: Measurement, seen: Feedback, verdict: Verdict, evaluator: HullTask["evaluator"]): Feedback {
  const told =
    evaluator === "both" ? measured.findings : measured.findings.filter(({ severity }) => severity === "hard");
  const fixes = told.flatMap(({ fix }) => fix ?? []);
  return {
    ...seen,
    overall_score: verdict.score,
    detected_issues: [...new Set([...told.map(({ message }) => message), ...seen.detected_issues])],
    suggested_fixes: [...new Set([...fixes, ...seen.suggested_fixes])],
  };
}

/** One picture of several of the same height and channels, from left to right. */
export function joinPictures(pictures: readonly Picture[]): Picture {
  const { height, channels } = pictures[0]!;
  const width = pictures.reduce((sum, picture) => sum + picture.width, 0);
  const data = new Uint8Array(width * height * channels);
  let left = 0;
  for (const picture of pictures) {
    const row = picture.width * channels;
    for (let y = 0; y < height; y++) {
      data.set(picture.data.subarray(y * row, (y + 1) * row), (y * width + left) * channels);
    }
    left += picture.width;
  }
  return { width, height, channels, data };
}
