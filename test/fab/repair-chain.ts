// Chains of repairs by the search builder, in one Blender for all: what the loop does, without its runs and issues.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Blender } from "@loopwright/blender";
import { buildVerdict, evidenceOf, GateConfig, loadGate, measure } from "@loopwright/fab";
import { searchProgram } from "../../packages/fab/src/builders/search.ts";
import { assetFigures, gateFigures } from "../../packages/fab/src/evidence.ts";
import type { FabInput, Work } from "../../packages/fab/src/task.ts";
import { judge } from "../../packages/fab/src/verdict/standing.ts";

export interface Link {
  codes: string[];
  next: string;
  /** What was done before it. */
  plan: string;
}

/** The gate of a kind, without what needs pictures by Blender. */
export async function gateOf(kind: "car" | "chair"): Promise<GateConfig> {
  const gate = await loadGate(kind === "car" ? "car_realism_v001" : "furniture_realism_v001", ".");
  const { realism: _, ...critics } = gate.critics;
  return GateConfig.parse({ ...gate, critics });
}

/** A Blender in which assets are repaired. */
export class Bench implements AsyncDisposable {
  readonly #folder: string;
  readonly #blender: Blender;

  private constructor(folder: string, blender: Blender) {
    this.#folder = folder;
    this.#blender = blender;
  }

  static async open(): Promise<Bench> {
    const folder = mkdtempSync(join(tmpdir(), "loopwright-repairs-"));
    return new Bench(folder, await Blender.start({ hasSpare: false, files: folder }));
  }

  /** Judges and repairs until it passes, or a person must look. */
  async repair(bytes: Uint8Array, gate: GateConfig): Promise<Link[]> {
    const links: Link[] = [];
    const before: string[][] = [];
    let [asset, plan] = [bytes, "The asset is given."];
    for (let index = 0; ; index += 1) {
      const read = await evidenceOf(asset, { gate });
      const problems = "problem" in read ? [read.problem] : [];
      const looks = "evidence" in read ? await measure(read.evidence) : {};
      const seen = Object.fromEntries(Object.entries(looks).map(([name, measured]) => [name, { measured }]));
      const judged = judge({ looks: seen, problems, requirements: [] }, gate);
      const figures = {
        ...gateFigures(gate),
        ...("evidence" in read && assetFigures(read.evidence.report, gate)),
      };
      const { verdict, next } = buildVerdict(judged, gate, {
        ...{ run: "r", assetId: "a", nothing: [], index, before, figures, startedAt: 0, finishedAt: 0 },
        artifacts: { report: "", renders: {} },
      });
      const codes = [...verdict.failures.hard, ...verdict.failures.soft];
      links.push({ codes, next: next.action === "escalate" ? next.reason : next.action, plan });
      if (next.action !== "repair") return links;
      before.push(verdict.failures.hard);
      const repairs = verdict.next_actions.flatMap(({ code, priority, instructions }) =>
        code === undefined ? [] : [{ code, priority, instructions }],
      );
      const last = { run: "r", asset: { path: "", digest: "", size: 0 }, figures, repairs, views: [] };
      const work = { issue: "i", root: "i", title: "t", builder: "search", kind: gate.kind, last } as unknown as Work;
      const program = searchProgram({ gate, work } as FabInput & { work: Work }, index);
      plan = program.plan;
      asset = await this.#run(program.code, program.usesLast ? asset : undefined);
    }
  }

  async #run(code: string, last: Uint8Array | undefined): Promise<Uint8Array> {
    await this.#blender.reset();
    if (last) {
      writeFileSync(join(this.#folder, "last.glb"), last);
      await this.#blender.execute(
        "import bpy\nfor thing in list(bpy.data.objects):\n    bpy.data.objects.remove(thing, do_unlink=True)\n" +
          'bpy.ops.import_scene.gltf(filepath="/files/last.glb")\n',
      );
    }
    await this.#blender.execute(code);
    return (await this.#blender.exported()).bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#blender.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
