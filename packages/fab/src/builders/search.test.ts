// What the search builder does about each code.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { templatesFolder } from "../folders.ts";
import { loadGate } from "../gate/load.ts";
import { codes, entryOf, playbook } from "../playbook.ts";
import type { FabInput, Work } from "../task.ts";
import { searchProgram, templateCode, templateNames } from "./search.ts";

const table = /^REPAIRS = \{\n(.*?)^\}/ms.exec(readFileSync(join(templatesFolder, "repairs.py"), "utf8"))![1]!;
const repaired = [...table.matchAll(/"([A-Z_]+)": ([a-z_]+)/g)].map(([, code]) => code!);

async function programFor(given: readonly string[], more: Partial<FabInput> = {}) {
  const gate = await loadGate("car_realism_v001", ".");
  const repairs = given.map((code) => ({ code, priority: playbook()[entryOf(code)!].priority, instructions: "" }));
  const last = { run: "r", asset: { path: "", digest: "", size: 0 }, figures: { scale: 0.1 }, repairs, views: [] };
  const work: Work = {
    ...{ issue: "i", root: "i", title: "t", tracker: "own", builder: "search", kind: "car" },
    ...(given.length > 0 && { last }),
  };
  return searchProgram({ gate, profile: "draft", iteration_index: 1, hard_before: [], work, ...more }, 1);
}

describe("the search builder", () => {
  it("repairs what repairs.py knows, and nothing in there is unknown to the playbook", () => {
    expect(repaired.length).toBeGreaterThan(15);
    for (const code of repaired) expect(entryOf(code), code).toBeDefined();
  });

  it.each(codes)("repairs %s, or begins again", async (code) => {
    const name = code.replace("<KIND>", "CAR").replace("<CRITIC>", "GEOMETRY");
    const { plan, usesLast, code: program } = await programFor([name]);
    const isRepaired = repaired.includes(name);
    expect(plan).toBe(isRepaired ? `Repair the last asset: ${name}.` : "Begin with car_sedan_template_v001.");
    expect(usesLast).toBe(isRepaired);
    expect(program).toContain(isRepaired ? `repair(["${name}"]` : "build(1)");
  });

  it("does the most urgent first, and begins again where one of those cannot be repaired", async () => {
    expect((await programFor(["GEO_ASYMMETRIC", "GEO_SCALE_IMPLAUSIBLE", "MAT_NONE"])).plan).toBe(
      "Repair the last asset: GEO_SCALE_IMPLAUSIBLE.",
    );
    expect((await programFor(["GEO_SCALE_IMPLAUSIBLE", "CAT_NO_CAR_DETECTED"])).plan).toMatch(/^Begin with/);
  });

  it("begins with the body and in the color that the prompt names", async () => {
    const { plan, code } = await programFor([], { prompt: "a blue SUV" });
    expect(plan).toBe("Begin with car_suv_template_v001.");
    expect(code).toMatch(/repaint\(.*0\.26\]/);
  });
});

it("takes a template with what it needs, and its call; and none but those that are shipped", () => {
  for (const name of templateNames)
    expect(templateCode(name)).toMatch(/^def clear\(\)[\s\S]*\ndef build\([\s\S]*\nbuild\(1\)\n$/m);
  for (const name of ["none", "../parts", "parts"])
    expect(() => templateCode(name)).toThrow(expect.objectContaining({ code: "TEMPLATE_UNKNOWN" }));
});
