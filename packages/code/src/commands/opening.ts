// What a run begins with: what was understood of its task, its workspace, its tests and its models. Pure.

import { type WorkspaceSettings, workspaceLines } from "@loopwright/workspace/settings";
import { parseSections } from "../asking/sections.ts";
import { roleNames } from "../roles.ts";

export interface Understood {
  task: string;
  /** Where it stands; undefined where it was said in words. */
  file: string | undefined;
  settings: WorkspaceSettings;
  /** How many files of given tests there are. */
  given: number;
  modelOf: (role: string) => { name: string } | undefined;
}

const LONGEST = 200;

/** The lines. */
export function openingLines({ task, file, settings, given, modelOf }: Understood): string[] {
  const [workspace = "", ...warnings] = workspaceLines(settings);
  const rows: [string, string | undefined][] = [
    ["task", `${firstLine(parseSections(task).task)}${file === undefined ? "" : ` (${file})`}`],
    ["workspace", workspace.replace(/^workspace /, "")],
    ["tests", testWords(settings, given)],
    ["models", modelWords(modelOf)],
    ["result", resultPlace(settings)],
  ];
  return [...rows.map(([name, value]) => `${name.padEnd(10)} ${value}`), ...warnings];
}

function firstLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const said = lines.find((line) => line !== "" && !line.startsWith("#")) ?? lines.find((line) => line !== "") ?? "";
  return said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said;
}

function testWords({ heldOut, runner }: WorkspaceSettings, given: number): string {
  const own = given === 0 ? "the workspace's own, and new ones" : given === 1 ? "1 given file" : `${given} given files`;
  const hidden = heldOut.length > 0 ? ", and held-out ones that decide" : "";
  const by = runner === undefined ? "" : `, run by ${typeof runner === "string" ? runner : runner.command}`;
  return own + hidden + by;
}

function modelWords(modelOf: Understood["modelOf"]): string {
  const named = roleNames.map((role) => [role, modelOf(role)?.name ?? "none"] as const);
  const [, first] = named[0]!;
  if (named.every(([, name]) => name === first)) return first;
  return named.map(([role, name]) => `${role} ${name}`).join(", ");
}

function resultPlace({ branch, patch }: WorkspaceSettings): string {
  if (patch) return "a patch in the run's folder; your files stay as they are";
  if (branch !== undefined) return `the new branch ${branch}; your files stay as they are`;
  return "your files, once the run is done";
}
