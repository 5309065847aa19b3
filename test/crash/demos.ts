// Demos killed with SIGKILL and resumed, as a person would: the real binary, the real project folder.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const binary = fileURLToPath(new URL("../../packages/loopwright/bin/loopwright.js", import.meta.url));

/** What must be the same, however often a demo was killed. */
export interface DemoResult {
  outcome: string;
  iterations: number;
  scores: unknown;
  /** The digest of every file that the loop made, by its path. */
  files: Record<string, string>;
}

export interface KilledDemo {
  result: DemoResult;
  /** How many kills came while the demo was alive. */
  killed: number;
  /** How many events it has told of, from its first start to its end. */
  events: number;
}

/** Runs a demo, killed when it has told of that many events in turn, and resumed until it ends. */
export async function runDemo(seed: number, killsAfter: readonly number[] = []): Promise<KilledDemo> {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-demo-"));
  try {
    let [killed, events] = [0, 0];
    for (const after of [...killsAfter, undefined]) {
      const { code, signal, stdout, stderr } = await start(dir, seed, after);
      events += linesOf(stdout);
      if (signal === "SIGKILL") killed += 1;
      else if (code !== 0) throw new Error(`seed ${seed}: exit ${code}: ${stderr}`);
      else break;
    }
    const [run, ...others] = readdirSync(join(dir, "runs")).filter((name) => !name.startsWith("."));
    if (run === undefined || others.length > 0) throw new Error(`seed ${seed}: not one run folder: ${run}, ${others}`);
    const verified = await command(["verify", run, "--dir", dir]);
    if (verified.code !== 0) throw new Error(`seed ${seed}: verify: ${verified.stdout}${verified.stderr}`);
    return { result: resultOf(join(dir, "runs", run)), killed, events };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const linesOf = (text: string) => text.split("\n").length - 1;

/** Starts the demo, or resumes the one that was begun; kills it after so many events. */
function start(dir: string, seed: number, killAfter: number | undefined) {
  const isBegun = existsSync(join(dir, "runs")) && readdirSync(join(dir, "runs")).some((name) => !name.startsWith("."));
  const words = isBegun ? ["resume", "--continue"] : ["demo", "--seed", String(seed)];
  const { child, ended } = startCommand([...words, "--dir", dir, "--json"]);
  if (killAfter !== undefined) {
    let events = 0;
    child.stdout.on("data", (text: string) => {
      events += linesOf(text);
      if (events >= killAfter) child.kill("SIGKILL");
    });
  }
  return ended;
}

/** Runs the binary to its end. */
export const command = (args: readonly string[]) => startCommand(args).ended;

/** Starts the binary. */
export function startCommand(args: readonly string[]) {
  const child = spawn(process.execPath, [binary, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  const ended = once(child, "close").then(([code, signal]: (number | NodeJS.Signals | null)[]) => ({
    code,
    signal,
    ...output,
  }));
  return { child, ended };
}

export function resultOf(folder: string): DemoResult {
  const { outcome, iterations, scores } = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8"));
  const paths = globSync("**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !["run.json", "summary.json", "report.html"].includes(path))
    .sort();
  const files = Object.fromEntries(paths.map((path) => [path, digestOf(join(folder, path))]));
  return { outcome, iterations, scores, files };
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
