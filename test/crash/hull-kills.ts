// Hull runs on the real Blender that are killed with SIGKILL at named places: Loopwright, its Blender, or both.
//
// A run has one iteration, then takes in a scene of a person's, then goes on until it passes and is made into a game asset, so that
// every phase of the loop is gone through.

import { copyFileSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { command, resultOf, startCommand } from "./demos.ts";

export const victims = ["loopwright", "blender", "both"] as const;
export type Victim = (typeof victims)[number];

type Line = { type: string; phase?: string; key?: string };
const inEffect = (key: string) => (line: Line) => line.type === "effect-started" && line.key!.split("/").at(-1) === key;
const inPhase = (phase: string) => (line: Line) => line.type === "phase-started" && line.phase === phase;

/** Where a run can be killed, in the order in which it gets there: by what it tells of itself. */
const places = {
  setup: inEffect("baseline"),
  build: inEffect("search"),
  execute: inEffect("run"),
  evaluate: inPhase("evaluate"),
  adopt: inEffect("adopt"),
  finalize: inPhase("finalize"),
  "game asset": inEffect("game-asset"),
};
export type Place = keyof typeof places;
const placeNames = Object.keys(places) as Place[];

export interface Kill {
  at: Place;
  victim: Victim;
}

/** A kill at every place, the victims in turn. A run stands three Blenders that are lost, which is as many as there are. */
export function killsFrom(first: number): Kill[] {
  return placeNames.map((at, i) => ({ at, victim: victims[(first + i) % victims.length]! }));
}

/** A new project with a small task. */
async function newProject(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-hull-kill-"));
  const { code, stderr } = await command(["init", dir, "--loop", "hull"]);
  if (code !== 0) throw new Error(stderr);
  const task = readFileSync(join(dir, "task.yaml"), "utf8");
  if (!task.includes("score_threshold: 0.95")) throw new Error("the template has another threshold");
  const small = "search: { evaluations: 15, size: 128 }\nrender_size: 128\ngame_asset: true\n";
  writeFileSync(join(dir, "task.yaml"), `${task.replace("score_threshold: 0.95", "score_threshold: 0.935")}${small}`);
  return dir;
}

/** The processes under one. */
export function descendants(pid: number): { pid: number; name: string }[] {
  const all = globSync("/proc/[0-9]*/stat").flatMap((file) => {
    try {
      const [, id, name, parent] = /^(\d+) \((.*)\) \S+ (\d+)/.exec(readFileSync(file, "utf8"))!;
      return [{ pid: Number(id), name: name!, parent: Number(parent) }];
    } catch {
      return [];
    }
  });
  const under = (of: number): typeof all =>
    all.filter(({ parent }) => parent === of).flatMap((each) => [each, ...under(each.pid)]);
  return under(pid);
}

/** A Blender at work, and not one that is only asked for its version. */
function isWorker({ pid, name }: { pid: number; name: string }): boolean {
  try {
    return name === "blender" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("worker.py");
  } catch {
    return false;
  }
}

/** Runs a command until it ends, or its process has been killed at one of these places; gives back the kills that are left. */
export async function runUntilKilled(words: readonly string[], kills: readonly Kill[]) {
  const { child, ended } = startCommand([...words, "--json"]);
  const left = [...kills];
  let rest = "";
  let killing: Promise<void> = Promise.resolve();
  child.stdout.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const next = left[0];
      if (!next || child.killed || !places[next.at](JSON.parse(line) as Line)) continue;
      left.shift();
      killing = kill(child, next.victim);
    }
  });
  const end = await ended;
  await killing;
  return { ...end, left };
}

async function kill(child: ReturnType<typeof startCommand>["child"], victim: Victim): Promise<void> {
  if (victim === "loopwright") return void child.kill("SIGKILL");
  // One that is being started is waited for.
  let blenders: { pid: number }[] = [];
  while (child.exitCode === null && child.signalCode === null && blenders.length === 0) {
    blenders = descendants(child.pid!).filter(isWorker);
    if (blenders.length === 0) await setTimeout(20);
  }
  for (const { pid } of blenders) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      // A kill at the place before may have waited for the same Blender.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
  if (victim === "both") child.kill("SIGKILL");
}

/** A whole run, killed at these places, which are in its order; and a scene for others to take in. */
export async function runHull(kills: readonly Kill[], given?: string) {
  const dir = await newProject();
  const scene = `${dir}.blend`;
  const isBegun = () => globSync(join(dir, "runs/*/run.json")).length > 0;
  const isGiven = () => globSync(join(dir, "runs/*/attempt-000/iterations/*/by-hand.blend")).length > 0;
  let left = [...kills];
  const until = async (begin: readonly string[], hasBegun: () => boolean) => {
    for (;;) {
      const words = hasBegun() ? ["resume", "--continue"] : begin;
      const { code, signal, stderr, left: after } = await runUntilKilled([...words, "--dir", dir], left);
      left = after;
      if (signal === "SIGKILL") continue;
      if (code === 0 || code === 3) return;
      throw new Error(`exit ${code}: ${stderr}${(await command(["explain", "--dir", dir])).stdout}`);
    }
  };
  try {
    await until(
      ["hull", "--builder", "search", "--seed", "5", "--max-iterations", "1", "-c", "ceilings.minutes=30"],
      isBegun,
    );
    const edited = given ?? globSync(join(dir, "runs/*/attempt-000/edit.blend"))[0]!;
    await until(["resume", "--continue", "--with", edited, "--max-iterations", "3"], isGiven);
    if (given === undefined) copyFileSync(edited, scene);
    const [run, ...others] = readdirSync(join(dir, "runs")).filter((name) => !name.startsWith("."));
    if (others.length > 0) throw new Error(`more than one run: ${others.join(", ")}`);
    const verified = await command(["verify", run!, "--dir", dir]);
    if (verified.code !== 0) throw new Error(verified.stdout + verified.stderr);
    const { files, ...result } = resultOf(join(dir, "runs", run!));
    // A .blend and an .fbx hold what is their process's; what they show is in the .glb and in asset.json.
    const stable = Object.entries(files).filter(([path]) => !/\.(blend|fbx)$/.test(path));
    return { scene, left, result: { ...result, names: Object.keys(files), files: Object.fromEntries(stable) } };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
