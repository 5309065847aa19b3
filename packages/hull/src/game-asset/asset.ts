// The best model as a game asset: made in the workcell, and measured here. That something
// is wrong with it is told, and changes nothing about how the run ended.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EffectContext, FinishContext } from "@loopwright/core";
import { glbToModel } from "@loopwright/mesh";
import { FOLDER, programsFolder } from "../folders.ts";
import type { HullState, HullTask } from "../task/task.ts";
import type { ModelingCell } from "../workcell/cells.ts";
import { fileOf, findProblems, type Level, measureLevel, ratios, sizeOf, unwrapProblems } from "./figures.ts";

type Best = NonNullable<HullState["best"]>;

/** Ways to unwrap a level, the nicest first: the next one is taken where triangles overlap. */
const ways = ["carried", "smart", "fine", "apart"] as const;
type Way = (typeof ways)[number];

/** Makes it, and tells what came of it. */
export async function makeGameAsset(ctx: FinishContext<HullTask>, best: Best): Promise<void> {
  try {
    const { levels, unwrapped } = await build(ctx, best);
    const model = sizeOf(await glbToModel(await ctx.load(best.glb)));
    const problems = findProblems({ model, levels });
    const shown = levels.map((level, at) => ({ file: fileOf(at), unwrapped: unwrapped[at], ...level }));
    const facts = { iteration: best.iteration, levels: shown, problems };
    await ctx.save(`${FOLDER}/asset.json`, `${JSON.stringify(facts, null, 2)}\n`);
    ctx.tell("game-asset", { triangles: levels.map(({ triangles }) => triangles), problems });
  } catch (error) {
    ctx.tell("game-asset", { triangles: [], problems: [`it could not be made: ${(error as Error).message}`] });
  }
}

interface Built {
  levels: Level[];
  unwrapped: Way[];
}

/** The levels and the FBX. A level whose triangles overlap in the texture is unwrapped in another way. */
function build({ workcell, input }: FinishContext<HullTask>, { snapshot }: Best): Promise<Built> {
  return workcell<ModelingCell>(input.workcell, snapshot).effect("game-asset", {
    input: { snapshot },
    run: async (cell, effect) => {
      let unwrapped: Way[] = ["smart", "carried", "carried"];
      for (;;) {
        const made = await buildOnce(cell, unwrapped);
        const next = nextWays(
          unwrapped,
          made.map(({ level }) => level),
        );
        if (!next) return save(cell, effect, made, unwrapped);
        unwrapped = next;
        await cell.restore(snapshot!);
      }
    },
  });
}

async function buildOnce(cell: ModelingCell, unwrapped: readonly Way[]) {
  const made: { glb: Uint8Array; level: Level }[] = [];
  const show = (levels: readonly number[]) => {
    const given = { ratios, unwrap: unwrapped, build: made.length === 0 ? 1 : 0, show: levels };
    return cell.execute(program(given));
  };
  for (const at of ratios.keys()) {
    await show([at]);
    const glb = await cell.exportGlb();
    made.push({ glb, level: await measureLevel(glb) });
  }
  await show([...ratios.keys()]);
  return made;
}

/** Other ways for the levels that need one; undefined where none does, or there is none left. A level that carries what the
 * first one has waits for that. */
function nextWays(unwrapped: readonly Way[], levels: readonly Level[]): Way[] | undefined {
  const isBad = levels.map(({ unwrap }) => unwrapProblems(unwrap).length > 0);
  const next = unwrapped.map((way, at) => {
    const waits = way === "carried" && isBad[0];
    return isBad[at] && !waits ? (ways[ways.indexOf(way) + 1] ?? way) : way;
  });
  return next.some((way, at) => way !== unwrapped[at]) ? next : undefined;
}

async function save(
  cell: ModelingCell,
  effect: EffectContext,
  made: readonly { glb: Uint8Array; level: Level }[],
  unwrapped: Way[],
): Promise<Built> {
  for (const [at, { glb }] of made.entries()) await effect.save(`${FOLDER}/${fileOf(at)}`, glb, "attempt");
  await effect.save(`${FOLDER}/asset.fbx`, await cell.exportFbx!(), "attempt");
  return { levels: made.map(({ level }) => level), unwrapped };
}

/** The package's program with what it is given: of JSON, only what is Python too. */
function program(given: unknown): string {
  const source = readFileSync(join(programsFolder, "game_asset.py"), "utf8");
  return source.replace("PARAMETERS = {}", () => `PARAMETERS = ${JSON.stringify(given)}`);
}
