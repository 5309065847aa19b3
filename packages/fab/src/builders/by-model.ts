// The builder that is a model: it writes code for Blender, from the prompt, or from the last asset and what is wrong with it.

import { boundsOf, glbToModel } from "@loopwright/mesh";
import { type Question, readPrompt, renderPrompt } from "@loopwright/models";
import { promptsFolder } from "../folders.ts";
import { viewWords } from "../renders.ts";
import { kindToWords } from "../requirements.ts";
import type { FabContext, FabInput, Work } from "../task.ts";
import { templateCode } from "./search.ts";

/** What it is asked for. */
export async function builderQuestion(ctx: FabContext, input: FabInput & { work: Work }): Promise<Question> {
  const { gate, prompt = "", work } = input;
  const { last } = work;
  const template = await readPrompt(ctx, { loop: "fab", folder: promptsFolder }, "builder");
  const range = ([least, most]: readonly [number, number]) => `${least} to ${most}`;
  const { length, width, height, triangles, wheels } = gate.geometry;
  const rendered = await renderPrompt(template, {
    kind: kindToWords(work.kind),
    prompt,
    sizes: `Length (along x) ${range(length)} m, width ${range(width)} m, height ${range(height)} m`,
    triangles: range(triangles),
    wheels: wheels === undefined ? "" : String(wheels),
    critics: Object.keys(gate.critics).join(", "),
    threshold: String(gate.pass),
    template: work.template === undefined ? "" : templateCode(work.template),
    is_first: last === undefined,
    scene: last ? await sceneToText(await ctx.load(last.asset)) : "",
    repairs: last ? last.repairs.map(repairToText).join("\n\n") : "",
    pictures: last ? last.views.map(({ view }) => viewWords[view] ?? view).join("; ") : "",
    code: last?.code ? Buffer.from(await ctx.load(last.code)).toString("utf8") : "",
    note: work.note ?? "",
    attempt: String(input.iteration_index),
  });
  return {
    prompt: rendered,
    images: last?.views.map(({ picture }) => picture) ?? [],
    maxRetries: input.max_retries,
  };
}

function repairToText({ code, priority, instructions }: NonNullable<Work["last"]>["repairs"][number]): string {
  return `${code} (priority ${priority}): ${instructions}`;
}

/** The parts of an asset, a line each. */
async function sceneToText(glb: Uint8Array): Promise<string> {
  const model = await glbToModel(glb);
  const round = (value: number) => Number(value.toFixed(2));
  return model.parts
    .map(({ name, material, first, count }) => {
      const triangles = model.triangles.slice(first * 3, (first + count) * 3);
      const { min, max } = boundsOf({ positions: model.positions, triangles });
      const size = min.map((low, axis) => round(max[axis]! - low)).join(" × ");
      const middle = min.map((low, axis) => round((max[axis]! + low) / 2)).join(", ");
      const made = material === undefined ? "no material" : (model.materials[material]?.name ?? "no material");
      return `${name}: ${made}, ${size} m at (${middle})`;
    })
    .join("\n");
}
