// Chains of the fab loop on the real Blender that are killed with SIGKILL at named places, and taken up again by their issue.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openProject } from "@loopwright/core";
import { templateCode } from "@loopwright/fab";
import { openTracker } from "@loopwright/tracker";
import { shapeGate, spoiled } from "../fakes/fab-gate.ts";
import { startFaultServer } from "../fakes/fault-server.ts";
import { command, startCommand } from "./demos.ts";

type Line = { type: string; run: string; phase?: string; key?: string };

/** Where a chain of two runs can be killed, in the order in which it gets there: by what it tells of itself. */
const inRun = (nth: number, names: readonly string[]) => names.map((name) => ({ nth, name }));
const all = ["read", "views", "measure", "verdict"];
const placesBy = (building: readonly string[]) => [
  ...inRun(0, ["take-up", ...all, "repair-issue"]),
  ...inRun(1, ["take-up", "generate", ...building, ...all, "merge", "close"]),
];
/** In GENERATE and in its workcell, by who builds. */
export const places = { search: placesBy(["begin", "build"]), model: placesBy(["ask", "begin", "build"]) };
export type Builder = keyof typeof places;
export type Place = (typeof places)[Builder][number];

function isAt({ nth, name }: Place, line: Line, runs: readonly string[]): boolean {
  if (runs.indexOf(line.run) !== nth) return false;
  if (line.type === "phase-started") return line.phase === name;
  return line.type === "effect-started" && line.key!.split("/").at(-1) === name;
}

const python = (code: string) => `PLAN: a car\n\`\`\`python\n${code}\n\`\`\``;

/** A project with a car that lacks a wheel, and an issue for it. */
export async function newProject(dir: string): Promise<string> {
  mkdirSync(join(dir, "gates"), { recursive: true });
  writeFileSync(join(dir, "gates/shape.yaml"), JSON.stringify(shapeGate));
  writeFileSync(join(dir, "start.glb"), await spoiled(["a wheel missing"]));
  const tracker = await openTracker({ dir });
  const { id } = await tracker.create({ title: "a sedan", asset: { kind: "car", gate: "shape", prompt: "a car" } });
  await tracker.close();
  return id;
}

/** Works on an issue until it ends, killed at these places; where a kill came late, those that it went past are left out. */
export async function runChain(dir: string, issue: string, kills: readonly Place[], flags: readonly string[] = []) {
  const left = [...kills];
  const runs: string[] = [];
  let killed = 0;
  for (;;) {
    const from = ["--from", join(dir, "start.glb")];
    const { child, ended } = startCommand(["fab", issue, ...from, "--trust", "--json", "--dir", dir, ...flags]);
    let rest = "";
    child.stdout.on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      // An event is a line; the document of a chain that had ended before the kill came is not.
      const events = lines.filter((each) => each.startsWith('{"')).map((each) => JSON.parse(each) as Line);
      for (const line of events) {
        if (!runs.includes(line.run)) runs.push(line.run);
        const at = left.findIndex((place) => isAt(place, line, runs));
        if (at < 0 || child.killed) continue;
        left.splice(0, at + 1);
        child.kill("SIGKILL");
      }
    });
    const { code, signal, stderr } = await ended;
    if (signal !== "SIGKILL") return { code, stderr, killed };
    killed += 1;
  }
}

/** What must be the same however often a chain was killed: its issues, its runs, and what is in the library. */
export async function standing(dir: string, root: string) {
  const { stdout } = await command(["fab", "lineage", root, "--json", "--dir", dir]);
  const { links } = JSON.parse(stdout) as { links: Record<string, unknown>[] };
  await using project = await openProject({ dir });
  const verified = await Promise.all(
    (await project.list()).map(async ({ run }) => (await project.verify(run)).problems),
  );
  const tracker = await openTracker({ dir });
  const issues = (await tracker.list()).map(({ title, status, priority, tags, runs, edges, iteration }) => ({
    ...{ title, status, priority, tags, runs: runs.length, attempts: iteration.attempts },
    edges: edges.map(({ kind }) => kind).toSorted(),
  }));
  await tracker.close();
  const library = Object.fromEntries(
    readdirSync(join(dir, "library")).map((place) => {
      const manifest = JSON.parse(readFileSync(join(dir, "library", place, "manifest.json"), "utf8"));
      const digest = createHash("sha256")
        .update(readFileSync(join(dir, "library", place, "asset.glb")))
        .digest("hex");
      const files = readdirSync(join(dir, "library", place)).toSorted();
      return [place.replace(root, "ROOT"), { files, isWhole: manifest.asset.endsWith(digest) }];
    }),
  );
  return {
    issues,
    links: links.map(({ iteration_index, outcome, codes, plan }) => ({ iteration_index, outcome, codes, plan })),
    folders: readdirSync(join(dir, "runs")).filter((name) => !name.startsWith(".")).length,
    library,
    problems: verified.flat(),
  };
}

/** A whole chain in a folder of its own. A model's first code raises, and its second builds a car. */
export async function killedChain(dir: string, kills: readonly Place[], builder: Builder = "search") {
  await using server = await startFaultServer();
  server.otherwise = ({ prompt }) => ({
    text: python(prompt.includes("ValueError") ? templateCode("car_sedan_template_v001") : "raise ValueError('no')"),
  });
  try {
    const issue = await newProject(dir);
    const model = ["--builder", "model", "--url", server.url, "--model", "builder=fake"];
    const { code, stderr, killed } = await runChain(dir, issue, kills, builder === "model" ? model : []);
    if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
    const asked = server.requests.length - kills.filter(({ name }) => name === "ask").length;
    return { killed, end: { ...(await standing(dir, issue)), asked: Math.max(asked, builder === "model" ? 2 : 0) } };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
