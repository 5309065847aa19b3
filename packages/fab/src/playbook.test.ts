import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkMesh } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { car } from "../../../test/fakes/car.ts";
import { assetFigures, gateFigures } from "./evidence.ts";
import { loadGate } from "./gate/load.ts";
import { criticNames } from "./gate/schema.ts";
import { codes, entryOf, found, instructionsFor, playbook } from "./playbook.ts";

const source = join(import.meta.dirname, "..");

/** Every code that stands in a source file, the list of codes aside. */
function codesInSources(): string[] {
  const files = (readdirSync(source, { recursive: true }) as string[]).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "playbook/codes.ts",
  );
  const texts = files.map((file) => readFileSync(join(source, file), "utf8")).join("\n");
  return [
    ...new Set(texts.match(/\b(BUILD|IMPORT|BLENDER|RENDER|MESH|CAT|ALIGN|REAL|GEO|MAT|OVERALL)_[A-Z_<>]+(?=")/g)),
  ];
}

describe("the playbook", () => {
  it("has an entry for every code, and no other", () => {
    expect(Object.keys(playbook()).toSorted()).toEqual([...codes].toSorted());
  });

  it("has an entry for every code that a source names, and none that no source does", () => {
    const named = codesInSources();
    for (const code of named) expect(entryOf(code), code).toBeDefined();
    // What the core finds of a critic is named there.
    const ofCore = ["<CRITIC>_NOT_RUN", "<CRITIC>_BELOW_FLOOR"];
    expect(codes.filter((code) => !named.includes(code))).toEqual(ofCore);
  });

  it("knows the codes that are made of a kind's or a critic's name", () => {
    expect(entryOf("CAT_NO_CAR_DETECTED")).toBe("CAT_NO_<KIND>_DETECTED");
    expect(found("CAT_NO_<KIND>_DETECTED", "x", { kind: "chair" }).code).toBe("CAT_NO_CHAIR_DETECTED");
    for (const name of criticNames) {
      expect(entryOf(`${name.toUpperCase()}_NOT_RUN`)).toBe("<CRITIC>_NOT_RUN");
      expect(entryOf(`${name.toUpperCase()}_BELOW_FLOOR`)).toBe("<CRITIC>_BELOW_FLOOR");
    }
    expect(entryOf("GEO_UNHEARD_OF")).toBeUndefined();
  });

  it.each(["car_realism_v001", "furniture_realism_v001"])("fills every blank with a figure of %s", async (id) => {
    const gate = await loadGate(id, ".");
    const own = { ...gateFigures(gate), ...assetFigures(checkMesh(car()), gate), overall: 0.5, pass: gate.pass };
    for (const code of codes) {
      const text = instructionsFor(found(code, "what is wrong", { kind: gate.kind }), own);
      expect(text, code).toMatch(/^what is wrong\.\n.+\n1\. /);
      expect(text, code).not.toMatch(/[{}]|unknown|NaN|undefined/);
    }
  });

  it("says what was measured, what is expected and what to do", async () => {
    const gate = await loadGate("car_realism_v001", ".");
    const large = { ...checkMesh(car()), length: 45.2, width: 17.8, height: 14.7 };
    const { sizeFinding } = await import("./critics/geometry.ts");
    const finding = sizeFinding(large, gate.geometry)!;
    const text = instructionsFor(finding, { ...gateFigures(gate), ...assetFigures(large, gate) });
    expect(text).toMatch(/^length 45\.2 m; expected 3–6 m.*; apply scale 0\.1\.\nNo car has this size/);
    expect(text).toContain("Scale by 0.1 (S, 0.1, Enter)");
  });
});
