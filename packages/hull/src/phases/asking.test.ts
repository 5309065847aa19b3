import type { WorkcellStart } from "@loopwright/core";
import { memoryEngine, scriptedModels } from "@loopwright/core/testing";
import { glbToMesh, meshToGlb } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { blockTask } from "../../../../test/fixtures/hull/block.ts";
import { hull, startOptions } from "../index.ts";
import { startLoft } from "../loft/cell.ts";
import { historyToText, parseBuilderAnswer, parseEvaluatorAnswer } from "./asking.ts";

const code = (text: string) => `PLAN: ${text}\n\`\`\`python\n{"length": 6}\n\`\`\``;
const feedback = {
  overall_score: 0.4,
  category_scores: { shape_accuracy: 0.4, proportions: 0.5, detail_level: 0.3, surface_quality: 0.9 },
  detected_issues: ["the bow is blunt by 0.3 m"],
  suggested_fixes: ["taper the bow over the last 1.2 m"],
  positive_aspects: ["the keel is straight"],
  is_complete: false,
};

/** A run with scripted models; the loft stands where Blender would, and takes its parameters as code. */
async function runScripted(builder: string[], iterations = 2) {
  const scripted = scriptedModels({ builder, evaluator: [{ json: feedback }] });
  const test = memoryEngine({ models: scripted.models, workcells: { blender: startLoft } });
  const task = blockTask({ evaluator: "both", max_iterations: iterations });
  const result = await test.engine.start(hull, task, { ...startOptions(task), seed: 1 });
  return { scripted, test, ...result };
}

describe("what models are asked", () => {
  it("test_builder_prompt_construction: every issue, fix, reference, render and figure reaches the builder", async () => {
    const { scripted, state } = await runScripted([code("first"), code("second")]);
    const [first, second] = scripted.asked("builder");
    expect(first!.request.images!.map(({ path }) => path.split("/").slice(-2).join("/"))).toEqual([
      ...["front", "side", "top"].map((view) => `references/${view}.png`),
      ...["front", "side", "top", "iso"].map((view) => `renders/${view}.png`),
      "iter-000/compare.png",
    ]);
    expect(second!.text).toContain("It passes at 0.85.");
    expect(second!.text).toContain('{"length": 6}\n');
    expect(second!.text).toContain(state.compared!.outlines.split("\n", 1)[0]!.slice(0, 38));
    expect(second!.text).toContain("Make a block, 4 m long");
    for (const said of [...feedback.detected_issues, ...feedback.suggested_fixes, ...feedback.positive_aspects])
      expect(second!.text).toContain(said);
    expect(second!.text).toContain("iteration 1: score");
    expect(second!.text).toMatch(/The best so far is iteration 1, with 0\.\d{3}\./);
    const last = scripted.asked("evaluator").at(-1)!;
    for (const issue of state.detected_issues)
      if (issue !== feedback.detected_issues[0]) expect(last.text).toContain(issue);
  });

  it("test_builder_to_evaluator_handoff: what was built is what is judged, with the measured figures before it", async () => {
    const { scripted, state } = await runScripted([code("first")], 1);
    expect(scripted.sent.map(({ id }) => id)).toEqual(["evaluator", "builder", "evaluator"]);
    const judged = scripted.asked("evaluator")[1]!;
    expect(judged.request.images!.slice(3, -1)).toEqual(Object.values(state.current_renders));
    expect(judged.request.images!.at(-1)!.path).toContain("iter-001/compare.png");
    expect(judged.text).toContain(state.compared!.outlines);
    expect(judged.text).toContain("the lower holds, and it passes at 0.85");
    expect(judged.text).toContain('"length":6');
    // It was measured as worse than the model thinks, and the lower score holds.
    expect(judged.text).toContain(`"overall_score": ${state.current_score},`);
    expect(judged.text).toContain("shape_accuracy");
    expect(state).toMatchObject({
      last_plan: "first",
      evaluator_feedback: { positive_aspects: ["the keel is straight"] },
    });
    expect(state.current_score).toBeLessThan(0.85);
  });

  it("of a scene with nothing in it no model is asked", async () => {
    const nothing = { positions: new Float32Array(), triangles: new Uint32Array() };
    const empty: WorkcellStart = async (options) => {
      const cell = await startLoft(options);
      return Object.assign(cell, { exportGlb: async () => meshToGlb(nothing) });
    };
    const scripted = scriptedModels({ builder: [code("first")], evaluator: [{ json: feedback }] });
    const test = memoryEngine({ models: scripted.models, workcells: { blender: empty } });
    const task = blockTask({ evaluator: "model", max_iterations: 1, score_threshold: 0.1 });
    const { outcome, state } = await test.engine.start(hull, task, startOptions(task));
    expect(scripted.asked("evaluator")).toEqual([]);
    expect(outcome).toBe("ceiling");
    expect(state.detected_issues).toContain("the export holds no triangle");
  });

  it("of one drawing of unknown view the model alone is the judge: no figure stands before it, bounds it, or is printed", async () => {
    const picture = blockTask().references.side as string;
    const references = { drawing: { picture } };
    const said = { ...feedback, overall_score: 0.9, detected_issues: ["the edges are too sharp"] };
    const judged = async (closed: "any" | "required", open = false) => {
      const scripted = scriptedModels({ builder: [code("first")], evaluator: [{ json: said }] });
      const holed: WorkcellStart = async (options) => {
        const cell = await startLoft(options);
        const { triangles, ...rest } = await glbToMesh(await cell.exportGlb());
        return Object.assign(cell, { exportGlb: async () => meshToGlb({ ...rest, triangles: triangles.slice(3) }) });
      };
      const test = memoryEngine({ models: scripted.models, workcells: { blender: open ? holed : startLoft } });
      const task = blockTask({ evaluator: "model", references, closed, max_iterations: 1 });
      const result = await test.engine.start(hull, task, startOptions(task));
      const events = await Array.fromAsync(test.engine.events(result.run));
      const verdict = events.flatMap((event) => (event.type === "verdict-recorded" ? [event.verdict] : [])).at(-1)!;
      return { ...result, verdict, asked: scripted.asked("evaluator").at(-1)!, builder: scripted.asked("builder")[0]! };
    };
    const seen = await judged("required");
    expect(seen).toMatchObject({ outcome: "done", state: { current_score: 0.9 } });
    expect(seen.verdict.reason).toBe(
      "the model scores it 0.900, and it alone has judged drawing; measured: the surface alone, for no view is known",
    );
    expect(seen.verdict.findings.map(({ message }) => message)).toEqual(["seen by the model: the edges are too sharp"]);
    expect(seen.asked.text).toContain("you alone judge");
    expect(seen.asked.text).not.toMatch(/overall_score": \d|Outermost edges|overlap/);
    expect(seen.builder.text).not.toContain("Outermost edges");
    expect(await judged("any", true)).toMatchObject({ outcome: "done", state: { current_score: 0.9 } });
    // What is measured of the surface still holds, and is no figure of its shape.
    expect(await judged("required", true)).toMatchObject({ outcome: "ceiling", state: { current_score: 0.45 } });
  });

  it("test_history_compression: a line for each of the last iterations only", async () => {
    const { state } = await runScripted([code("again")], 7);
    expect(state.iteration_history.map(({ iteration }) => iteration)).toEqual([3, 4, 5, 6, 7]);
    const lines = historyToText(state.iteration_history).split("\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^iteration 3: score 0\.\d{3}, \d+ issues\. again$/);
    expect(historyToText([])).toBe("none yet");
    const one = { ...state.iteration_history[0]!, issues_count: 1 };
    expect(historyToText([{ ...one, score: 0.8497 }])).toContain("score 0.849, 1 issue. again");
  });

  it("asks again inside the iteration after an error and after prose, and keeps neither in later prompts", async () => {
    const wrong = 'PLAN: x\n```python\n{"wings": 2}\n```';
    const { scripted, state, iterations } = await runScripted([
      "I would rather talk.",
      wrong,
      code("good"),
      code("next"),
    ]);
    expect(iterations).toBe(2);
    const asked = scripted.asked("builder");
    expect(asked).toHaveLength(4);
    expect(asked[1]!.text).toContain("prose is never run as code");
    expect(asked[2]!.text).toContain("there is no parameter 'wings'");
    expect(asked[3]!.text).not.toContain("wings");
    expect(state.last_execution_result).toMatchObject({ status: "succeeded", retry_count: 0 });
  });

  it("fails a run whose model never gives code, and one whose evaluator gives nothing is never passed", async () => {
    const prose = await runScripted(["Blender is a wonderful program."], 6);
    expect(prose).toMatchObject({ outcome: "failed", iterations: 3 });
    expect(prose.state.last_execution_result!.failure!.class).toBe("E2");
    const scripted = scriptedModels({ builder: [code("x")], evaluator: ["It is perfect! 10/10"] });
    const test = memoryEngine({ models: scripted.models, workcells: { blender: startLoft } });
    const task = blockTask({ evaluator: "model", max_iterations: 1, score_threshold: 0.01 });
    const { outcome } = await test.engine.start(hull, task, startOptions(task));
    expect(outcome).toBe("ceiling");
  });
});

describe("what models answer", () => {
  it("a plan and one block of code are read, however they are named", () => {
    expect(parseBuilderAnswer("1. **PLAN:** widen it\n\n2. **CODE:**\n```py\nx = 1\n```")).toEqual({
      plan: "widen it",
      code: expect.stringContaining("x = 1"),
    });
    expect(() => parseBuilderAnswer("import bpy\nbpy.ops.mesh.primitive_cube_add()")).toThrow("prose is never run");
    expect(() => parseBuilderAnswer("```python\na = 1\n```\n```python\nb = 2\n```")).toThrow("2 different");
  });

  it.each([
    ["plain", JSON.stringify(feedback)],
    ["fenced, with a comma too many", `Here:\n\`\`\`json\n${JSON.stringify(feedback).slice(0, -1)},}\n\`\`\``],
    ["behind a thought", `<think>{"overall_score": 1}</think>${JSON.stringify(feedback)}`],
    ["with numbers as text", JSON.stringify({ ...feedback, overall_score: "0.4" })],
  ])("test_evaluator_response_parsing: %s", (_, text) => {
    expect(parseEvaluatorAnswer(text)).toEqual(feedback);
  });

  it.each([
    ["prose", "It looks great."],
    ["a score above 1", JSON.stringify({ ...feedback, overall_score: 9 })],
    ["no score", JSON.stringify({ detected_issues: [] })],
    ["nothing", ""],
  ])("test_evaluator_response_parsing: %s is no answer", (_, text) => {
    expect(() => parseEvaluatorAnswer(text)).toThrow();
  });
});
