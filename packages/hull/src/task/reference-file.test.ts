// References as people have them: from any side, at a scale of their own, before a background that is not quite plain.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomStream } from "@loopwright/core";
import { memoryEngine, scriptedModels } from "@loopwright/core/testing";
import { type Angles, type Mesh, overlap, type Picture, pictureToPng, renderViews } from "@loopwright/mesh";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ball, cube, moveMesh } from "../../../../test/fakes/shapes.ts";
import { trawler } from "../../../../test/fixtures/hull/trawler.ts";
import { hull, startOptions } from "../index.ts";
import { startLoft } from "../loft/cell.ts";
import { cutOutMasks, measuredNames, referenceMasks, seenAs } from "../measure/references.ts";
import { loadTask } from "./task-file.ts";

let folder: string;
const file = () => join(folder, "task.yaml");
const bow: Angles = { azimuth: 318, elevation: 22 };

/** A picture as a camera takes it: 400 × 300, the object somewhere in it, on a gray that is not quite even. */
function photograph(mesh: Mesh, from: Angles): Picture {
  const random = randomStream("noise");
  const [view] = renderViews(mesh, [from], { size: { width: 400, height: 300 } });
  const { width, height, data: seen } = view!.shaded();
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < data.length; at++) {
    const pixel = Math.floor(at / 3);
    const ground = 232 - 25 * ((pixel % width) / width) + 6 * random();
    data[at] = seen[pixel * 4 + 3] ? seen[pixel * 4 + (at % 3)]! * 0.65 : ground;
  }
  return { width, height, channels: 3, data };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hull-references-"));
  const write = (name: string, bytes: Uint8Array | string) => writeFile(join(folder, name), bytes);
  const boat = trawler();
  await write("bow.png", pictureToPng(photograph(boat, bow)));
  await write("side.png", pictureToPng(photograph(boat, { azimuth: 270, elevation: 0 })));
  await write("back.png", pictureToPng(photograph(boat, { azimuth: 180, elevation: 0 })));
  await write("boat.jpg", Buffer.from("ffd8ffe000104a464946", "hex"));
  const noise = randomStream("wall");
  const wall = {
    width: 64,
    height: 64,
    channels: 1,
    data: Uint8Array.from({ length: 4096 }, () => 255 * noise()),
  } as const;
  await write("wall.png", pictureToPng(wall));
});
afterAll(() => rm(folder, { recursive: true }));

async function load(references: string, more = "") {
  await writeFile(
    file(),
    `task_description: a trawler\nworkcell: blender\nbuilder: model\n${more}references:\n${references}`,
  );
  return loadTask(file());
}

/** How well a mesh fits each reference. */
const fits = (mesh: Mesh, task: Awaited<ReturnType<typeof load>>) =>
  Object.entries(referenceMasks(task, 256)).map(([name, wanted]) => overlap(seenAs(mesh, name, task, 256), wanted));

describe("references", () => {
  const three = `  bow: { file: bow.png, view: { azimuth: 318, elevation: 22 }, scale: { meters_per_pixel: 0.02875 } }
  hero: { file: side.png, view: side, scale: { width: 10.64 } }
  back: { file: back.png, scale: { height: 7.35 } }
`;

  it("from any side, with a scale and before a background, are measured in a frame that follows from them", async () => {
    const task = await load(three);
    expect(measuredNames(task)).toEqual(["bow", "side", "back"]);
    expect(task.frame.center).toEqual([0, 0, 0]);
    expect(task.frame.meters).toBeGreaterThan(13);
    const boat = moveMesh(trawler(), [0, 0, -2.425]);
    for (const fit of fits(boat, task)) expect(fit).toBeGreaterThan(0.94);
    for (const fit of fits(ball(4), task)) expect(fit).toBeLessThan(0.6);
    for (const fit of fits(cube(6), task)) expect(fit).toBeLessThan(0.6);
  });

  it("with a mask of their own, or with a center, are taken at their word", async () => {
    const masked = await load(`${three}  top: { file: wall.png, mask: wall.png, scale: { width: 4 } }\n`);
    expect(measuredNames(masked)).toContain("top");
    const line = three.split("\n")[0]!.replace("scale:", "center: [10, 290], scale:");
    const centered = await load(`${line}\n`);
    expect(fits(moveMesh(trawler(), [0, 0, -2.425]), centered)[0]).toBeLessThan(0.5);
  });

  it("whose view is not known go to models only", async () => {
    const task = await load(`${three}  sketch: wall.png\n`);
    expect(measuredNames(task)).not.toContain("sketch");
    const code = 'PLAN: x\n```python\n{"length": 9}\n```';
    const json = { overall_score: 0.3, detected_issues: ["x"], suggested_fixes: ["y"], is_complete: false };
    const scripted = scriptedModels({ builder: [code], evaluator: [{ json }] });
    const test = memoryEngine({ models: scripted.models, workcells: { blender: startLoft } });
    const run = { ...task, evaluator: "both" as const, max_iterations: 1, render_size: 128 };
    const { state } = await test.engine.start(hull, run, startOptions(run));
    const { request, text } = scripted.asked("evaluator").at(-1)!;
    expect(text).toContain("reference sketch (its view is not known)");
    expect(text).toContain("reference bow (from azimuth 318° and elevation 22°, at a scale of its own)");
    expect(text).toContain("(bow, side, back, from left to right)");
    expect(request.images!.map(({ path }) => path.split("/").at(-1))).toContain("sketch.png");
    expect(state.compared!.outlines).toContain("bow: right ");
    expect(Object.keys(cutOutMasks(run))).toEqual(["bow", "side", "back"]);
  });

  it("without one whose view is known are for a model that judges, and nothing is measured", async () => {
    const frame = "evaluator: model\nframe: { center: [0, 0, 0], meters: 12 }\n";
    expect(measuredNames(await load("  sketch: wall.png\n", frame))).toEqual([]);
    await expect(load("  sketch: wall.png\n", frame.replace("model", "both"))).rejects.toThrow(
      /task\.yaml:\d+: references: at least one reference must have a view that is known/,
    );
  });

  it.each([
    [
      "a view that is not known",
      "  a: { file: bow.png, view: astern }",
      /:5: references\.a\.view: use one of front, side/,
    ],
    [
      "two scales",
      "  side: { file: side.png, scale: { width: 2, height: 3 } }",
      /:5: references\.side\.scale: use one of \{ meters/,
    ],
    [
      "a JPEG",
      "  side: boat.jpg",
      /:5: references\.side: .*boat\.jpg is no PNG, and only PNG is read: convert it.*magick .*boat\.png/,
    ],
    [
      "a background that is not plain",
      "  side: wall.png",
      /:5: references\.side: wall\.png: its background is not plain.*mask: FILE\.png/,
    ],
    [
      "alpha that is not there",
      "  side: { file: side.png, mask: alpha }",
      /:5: references\.side\.mask: side\.png has no transparency/,
    ],
    [
      "a mask of another size",
      "  side: { file: side.png, mask: wall.png }",
      /:5: references\.side\.mask: wall\.png has 64 × 64 pixels, and side\.png 400 × 300/,
    ],
    [
      "a view twice",
      "  side: { file: side.png, scale: { width: 9 } }\n  right: { file: side.png, scale: { width: 9 } }",
      /:6: references\.right\.view: the view side has a reference already/,
    ],
    [
      "a name of another view",
      "  front: { file: bow.png, view: { azimuth: 30, elevation: 0 } }",
      /:5: references\.front\.view: it is called front, and shows another view/,
    ],
    [
      "a scale without a view",
      "  a: { file: bow.png, scale: { width: 9 } }",
      /:5: references\.a: its view is not known|:5: references\.a\.view: its view is not known/,
    ],
    [
      "a center without a scale",
      "  side: { file: side.png, center: [2, 3] }",
      /:5: references\.side\.center: it needs a scale too/,
    ],
    ["neither frame nor scale", "  side: side.png", /: frame: say what the pictures show, frame: \{ center/],
    ["a key that is not known", "  side: { file: side.png, veiw: side }", /:5: references\.side\.veiw: /],
    ["a number", "  side: 7", /:5: references\.side\.?: .*expected object/],
  ])("with %s are refused, with the line and what to type", async (_, references, message) => {
    await expect(load(`${references}\n`)).rejects.toThrow(message);
  });
});
