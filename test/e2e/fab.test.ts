// The judge through the real binary.

import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { meshToGlb } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { GateVerdict } from "../../packages/fab/src/verdict/gate-verdict.ts";
import { chromiumPath, launchBrowser } from "../fakes/browser.ts";
import { car } from "../fakes/car.ts";
import { Folder, lastLine } from "../fakes/cli.ts";
import { cube, moveMesh } from "../fakes/shapes.ts";

/** A gate that asks for what is measured without pictures. */
const gate = `gate_config_id: shape_only
kind: car
pass: 0.75
critics: { geometry: { weight: 1, floor: 0.6 }, material: { weight: 0 } }
geometry:
  { length: [3, 6], width: [1.4, 2.5], height: [1, 2.5], triangles: [5000, 500000], trivial: 1000,
    symmetry: 0.7, non_manifold: 0.05, normals: 0.95 }
`;

async function folderWith(scale = 1): Promise<Folder> {
  const at = new Folder();
  const mesh = car();
  const positions = mesh.positions.map((value) => value * scale);
  await at.write("gates/shape_only.yaml", gate);
  await at.write("gates/by_eye.yaml", gate.replace("shape_only", "by_eye").replace("floor: 0.6", "by: model"));
  await writeFile(join(at.dir, "car.glb"), await meshToGlb({ ...mesh, positions }));
  return at;
}

function verdictIn(at: Folder, run = at.runs().at(-1)!): GateVerdict {
  return GateVerdict.parse(JSON.parse(at.read(`runs/${run}/verdict/gate_verdict.json`)));
}

/** A page as a browser has it. */
async function look(file: string) {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("console", (message) => errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(pathToFileURL(file).href);
    const widths = await page
      .locator("img")
      .evaluateAll((all) => all.map((each) => (each as unknown as { naturalWidth: number }).naturalWidth));
    const text = await page.locator("main").innerText();
    return { errors, text, pictures: widths.length, blank: widths.filter((width) => width === 0).length };
  } finally {
    await browser.close();
  }
}

describe("loopwright fab judge", () => {
  it("passes a sound car with exit 0, in words and as a file, and the same in two processes", async () => {
    using at = await folderWith();
    const [ended] = await Promise.all([1, 2].map(() => at.cli("fab judge car.glb --gate shape_only")));
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended!.stdout).toMatch(
      /PASS {2}the score is 1\.000, and 0\.75 is needed\n {2}overall {4}1\.00 {2}needs 0\.75/,
    );
    expect(verdictIn(at)).toMatchObject({
      verdict: "pass",
      scores: { overall: 1, margin: 0.25 },
      failures: { hard: [] },
    });
    const [first, second] = at.runs().map((run) => ({ ...verdictIn(at, run), run_id: "", timing: "" }));
    expect(second).toEqual(first);
  });

  it("fails one ten times too large with exit 7, and says what to scale it by", async () => {
    using at = await folderWith(10);
    const ended = await at.cli("fab judge car.glb --gate shape_only");
    expect(ended).toMatchObject({ code: 7, stderr: "" });
    expect(ended!.stdout).toMatch(/length 41\.5 m; expected 3–6 m.*apply scale 0\.1/);
    expect(ended.stdout).toContain("geometry   0.40  below its floor of 0.60");
    expect(verdictIn(at)).toMatchObject({ verdict: "fail", failures: { hard: ["GEO_SCALE_IMPLAUSIBLE"] } });
    if (chromiumPath === undefined) return;
    const shown = await look(join(at.dir, "runs", at.runs()[0]!, "asset.html"));
    expect(shown).toMatchObject({ errors: [], pictures: 14, blank: 0 });
    expect(shown.text).toMatch(/FAIL at shape_only: hard fail: GEO_SCALE_IMPLAUSIBLE/i);
    expect(shown.text).toMatch(/geometry\s+0\.40\s+needs 0\.60\s+counts 100 %; check 0\.40: length 41\.5 m/);
    expect(shown.text).toContain("Scale by 0.1 (S, 0.1, Enter)");
  });

  it("does what docs/judging-assets.md says, to the letter", async () => {
    using at = new Folder();
    const page = readFileSync(join(import.meta.dirname, "../../docs/judging-assets.md"), "utf8");
    const [path] = /(?<=Write `)[^`]+/.exec(page)!;
    const [yaml, command, shown] = [...page.matchAll(/```(?:yaml|sh|text)\n(.*?)```/gs)].map(([, text]) =>
      text!.trim(),
    );
    await at.write(path, `${yaml}\n`);
    await writeFile(join(at.dir, "crate.glb"), await meshToGlb(moveMesh(cube(0.4), [0, 0, 0.2])));
    const words = command!.replace("loopwright ", "");
    expect(await at.cli(words)).toMatchObject({ code: 0, stderr: "" });
    await writeFile(join(at.dir, "crate.glb"), await meshToGlb(moveMesh(cube(40), [0, 0, 20])));
    const ended = await at.cli(words);
    expect(ended.stdout).toContain(shown);
    expect(ended.stdout).toContain("apply scale 0.01");
  });

  it("prints its events with --json, the verdict among them", async () => {
    using at = await folderWith();
    const ended = await at.cli("fab judge car.glb --gate shape_only --json");
    const told = ended.lines.map((line) => JSON.parse(line)).find(({ name }) => name === "gate-verdict");
    expect(GateVerdict.parse(told.data)).toEqual(verdictIn(at));
    expect(lastLine(ended)).toMatchObject({ type: "run-ended", outcome: "done", score: 1 });
  });

  it.each([
    ["judge none.glb --gate shape_only", "there is no file"],
    ["judge car.glb", "--gate is missing"],
    ["judge car.glb --gate by_eye", "none is configured for the critic (name one: --model critic="],
    ["judge car.glb --gate shape_onyl", "did you mean 'shape_only'?"],
    ["judge car.glb --gate gates/shape_only.yaml --profile best", "--profile is draft, standard, final, not 'best'"],
  ])("fab %s is a usage error with exit 2", async (words, says) => {
    using at = await folderWith();
    const ended = await at.cli(`fab ${words}`);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(says);
    expect(at.runs()).toEqual([]);
  });
});
