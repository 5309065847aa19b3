import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { gatesFolder } from "../folders.ts";
import { gateIds, loadGate } from "./load.ts";

const project = mkdtempSync(join(tmpdir(), "loopwright-gates-"));
afterAll(() => rmSync(project, { recursive: true, force: true }));
const shipped = readFileSync(join(gatesFolder, "car_realism_v001.yaml"), "utf8");
const parse = (text: string) => {
  writeFileSync(join(project, "mine.yaml"), text);
  return loadGate(join(project, "mine.yaml"), project);
};

describe("a gate configuration", () => {
  it("for cars has the figures that were agreed on", async () => {
    const gate = await loadGate("car_realism_v001", project);
    const figures = Object.entries(gate.critics).map(([name, { weight, floor }]) => [name, weight, floor]);
    expect(figures).toEqual([
      ["category", 0.35, 0.7],
      ["geometry", 0.25, 0.6],
      ["alignment", 0.2, 0.5],
      ["realism", 0.2, 0.4],
      ["material", 0, undefined],
    ]);
    expect(gate).toMatchObject({ pass: 0.75, uncertainty_band: 0.03, iteration: { max_iterations: 5 } });
    expect(gate.geometry).toMatchObject({
      ...{ length: [3, 6], width: [1.4, 2.5], height: [1, 2.5], triangles: [5000, 500_000] },
      ...{ trivial: 1000, symmetry: 0.7, non_manifold: 0.05, normals: 0.95, wheels: 4 },
    });
  });

  it("for furniture too", async () => {
    const { critics, pass, uncertainty_band } = await loadGate("furniture_realism_v001", project);
    expect({ pass, uncertainty_band }).toEqual({ pass: 0.7, uncertainty_band: 0.04 });
    expect(critics).toMatchObject({
      ...{ category: { weight: 0.3, floor: 0.65 }, alignment: { weight: 0.25 } },
      ...{ geometry: { weight: 0.25, floor: 0.55 }, realism: { weight: 0.2 } },
    });
  });

  it("takes the iteration block as it has always been written", async () => {
    const seed = `
  max_iterations: 5
  escalation:
    on_repeated_hard_fail: true
    repeated_threshold: 2
    on_import_crash: true
    on_critic_inconsistency: true
    notify_webhook: "https://example.org/hook"
  template_fallback:
    enabled: true
    suggest_after_iterations: 2
    templates:
      car: "car_sedan_template_v001"
      suv: "car_suv_template_v001"
  priority_escalation:
    P3_to: P2
    P2_to: P1
    P1_to: P0
`;
    const { iteration } = await parse(`${shipped.slice(0, shipped.indexOf("iteration:"))}iteration:${seed}`);
    expect(iteration.escalation.notify_webhook).toBe("https://example.org/hook");
    expect(iteration).toMatchObject({ priority_escalation: { P3_to: "P2" }, template_fallback: { enabled: true } });
  });

  it.each([
    ["an unknown key", shipped.replace("floor: 0.60", "flor: 0.60"), /\/mine\.yaml:8: critics\.geometry\.flor: /],
    ["a weight above 1", shipped.replace("0.35", "35"), /\/mine\.yaml:7: critics\.category\.weight: /],
    ["an unknown critic", shipped.replace("  realism:", "  beauty:"), /\/mine\.yaml:10: critics\.beauty: /],
    ["a range upside down", shipped.replace("[3, 6]", "[6, 3]"), /:14: geometry\.length: the least comes first/],
    ["no critic that counts", shipped.replaceAll(/weight: [\d.]+/g, "weight: 0"), /:7: critics: at least one critic/],
    ["what is missing", shipped.replace("kind: car\n", ""), /\/mine\.yaml:\d+: kind: /],
    ["YAML that is none", `${shipped}  : [`, /\/mine\.yaml:\d+: /],
    ["nothing", "", /\/mine\.yaml:1: gate_config_id: /],
  ])("is refused with its line: %s", async (_, text, says) => {
    await expect(parse(text)).rejects.toThrow(says);
  });

  it("of the project's own is found by its id, and before a shipped one", async () => {
    mkdirSync(join(project, "gates"), { recursive: true });
    writeFileSync(join(project, "gates/mine.yaml"), shipped.replace("car_realism_v001", "mine"));
    writeFileSync(join(project, "gates/car_realism_v001.yaml"), shipped.replace("pass: 0.75", "pass: 0.9"));
    writeFileSync(join(project, "gates/other.yaml"), shipped);
    expect((await loadGate("mine", project)).gate_config_id).toBe("mine");
    expect((await loadGate("car_realism_v001", project)).pass).toBe(0.9);
    expect(gateIds(project)).toEqual(["car_realism_v001", "mine", "other", "furniture_realism_v001"]);
    await expect(loadGate("other", project)).rejects.toThrow("other.yaml calls itself 'car_realism_v001'");
    await expect(loadGate("../gates/mine", project)).rejects.toThrow("there is no gate '../gates/mine'");
    await expect(loadGate("none.yaml", project)).rejects.toThrow("cannot be read");
  });
});
