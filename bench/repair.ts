// The repair loop on small buggy programs: how many it repairs, by visible tests and by held-out ones.
//
// Each program of repair/ is one run of the real loop with the real sandbox. Visible tests choose: the first repair that the
// search puts forward is the one that counts here, and held-out tests say whether it is right. The loop itself goes on when
// they refuse it; what comes of that is `fixed_in_the_end`, and is no part of the other figures.
//
// REPAIR_SET=first|second takes one half of the corpus, REPAIR_ONLY=name,name some programs of it.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine, MemoryJournal, MemoryStore, machineClock, readRecord, thisProcess } from "@loopwright/core";
import { RepairTask, repair } from "@loopwright/repair";
import { openSandbox } from "@loopwright/sandbox";
import { projectCells, readTests } from "@loopwright/workspace";

const corpus = join(import.meta.dirname, "repair");
/** The same for every program: at most so many batches of 250 candidates; the minutes only end what hangs. */
const ceilings = { iterations: 8, minutes: 10 };

/** Repairs every program and counts. */
export async function run({ quick }: { quick: boolean }) {
  const begun = performance.now();
  const programs = listPrograms().filter((_, at) => !quick || at % 10 === 0);
  const repairs: Repair[] = [];
  for (const program of programs) {
    const result = await repairProgram(program);
    repairs.push(result);
    console.error(describe(program, result));
  }
  const count = (is: (repair: Repair) => boolean) => repairs.filter(is).length;
  const python = repairs.filter(({ language }) => language === "python");
  const visible = count(({ isPlausible }) => isPlausible);
  const heldOut = count(({ isRight }) => isRight);
  return {
    total: repairs.length,
    fixed_visible: visible,
    fixed_held_out: heldOut,
    fixed_share: round(heldOut / repairs.length, 3),
    overfit: visible - heldOut,
    overfit_share: round((visible - heldOut) / Math.max(1, visible), 3),
    fixed_in_the_end: count(({ isDone }) => isDone),
    ...Object.fromEntries(
      ["first", "second"].flatMap((set) => {
        const own = repairs.filter((repair) => repair.set === set);
        return [
          [`total_${set}`, own.length],
          [`fixed_held_out_${set}`, own.filter(({ isRight }) => isRight).length],
          [`overfit_${set}`, own.filter(({ isRight, isPlausible }) => isPlausible && !isRight).length],
        ];
      }),
    ),
    median_candidates: median(repairs.filter(({ isRight }) => isRight).map(({ tried }) => tried)),
    candidates_per_s: perSecond(python),
    candidates_per_s_typescript: perSecond(repairs.filter(({ language }) => language !== "python")),
    seconds: round((performance.now() - begun) / 1000, 1),
  };
}

interface Program {
  set: string;
  name: string;
  folder: string;
  language: string;
  size: string;
}

interface Repair extends Pick<Program, "language" | "set"> {
  /** Whether a candidate passes every visible test; whether the first that was put forward is right; how the run ended. */
  isPlausible: boolean;
  isRight: boolean;
  isDone: boolean;
  /** Candidates until the first repair was put forward, or in all; and the time that they took. */
  tried: number;
  triedInAll: number;
  searchSeconds: number;
  seconds: number;
  words: string;
}

function listPrograms(): Program[] {
  const sets = (process.env.REPAIR_SET ?? "first,second").split(",");
  const only = process.env.REPAIR_ONLY?.split(",");
  return sets.flatMap((set) =>
    readdirSync(join(corpus, set))
      .filter((name) => only === undefined || only.includes(name))
      .sort()
      .map((name) => {
        const folder = join(corpus, set, name);
        const { language, size } = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")) as Program;
        return { set, name, folder, language, size };
      }),
  );
}

async function repairProgram({ set, folder, language }: Program): Promise<Repair> {
  const begun = performance.now();
  const place = mkdtempSync(join(tmpdir(), "loopwright-repair-"));
  const [workspace, state] = [join(place, "workspace"), join(place, "state")];
  mkdirSync(workspace);
  mkdirSync(state);
  for (const part of ["src", "tests", "held-out"]) cpSync(join(folder, part), workspace, { recursive: true });
  const pathsOf = (part: string) => readdirSync(join(folder, part)).map((name) => join(workspace, name));
  const [tests, heldOut] = [pathsOf("tests"), pathsOf("held-out")];
  const sandbox = await openSandbox("bwrap");
  const journal = new MemoryJournal();
  const workcells = { project: projectCells({ workspace, state, sandbox, tests, heldOut }) };
  let firstTried: number | undefined;
  let isRight = false;
  try {
    await using engine = new Engine({
      journal,
      store: new MemoryStore(),
      clock: machineClock,
      process: thisProcess(),
      workcells,
    });
    const task = RepairTask.parse({ tests: await readTests(tests, workspace), held_out: true });
    const { run, outcome, reason, state: end } = await engine.start(repair, task, { ceilings });
    const record = await readRecord({ journal }, run);
    const found = end.search;
    const first = found?.plausible.find(({ refused }) => refused !== undefined) ?? found?.plausible[found.chosen ?? -1];
    isRight = first !== undefined && first.refused === undefined;
    firstTried = first === undefined ? undefined : found!.tried;
    return {
      set,
      language,
      isPlausible: first !== undefined,
      isRight,
      isDone: outcome === "done",
      tried: firstTried ?? found?.tried ?? 0,
      triedInAll: found?.tried ?? 0,
      searchSeconds: (record.phaseTimes.search ?? 0) / 1000,
      seconds: (performance.now() - begun) / 1000,
      words: `${outcome}: ${reason}${isRight ? `; ${first?.title}` : first ? `; FIRST WAS: ${first.title}` : ""}`,
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function describe({ set, name, size }: Program, { isPlausible, isRight, triedInAll, seconds, words }: Repair): string {
  const mark = isRight ? "right  " : isPlausible ? "OVERFIT" : "none   ";
  const shown = set === "second" && process.env.REPAIR_SET === undefined ? "" : `  ${words}`;
  return `${mark} ${set}/${name} (${size}) ${triedInAll} candidates, ${seconds.toFixed(1)} s${shown}`;
}

function perSecond(repairs: readonly Repair[]): number | null {
  const seconds = repairs.reduce((sum, { searchSeconds }) => sum + searchSeconds, 0);
  const tried = repairs.reduce((sum, { triedInAll }) => sum + triedInAll, 0);
  return seconds === 0 ? null : round(tried / seconds, 1);
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? null;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
