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
  milliseconds: number;
}

/** Runs a demo, killed after each of these times in turn, and resumed until it ends. */
export async function runDemo(seed: number, killsAfter: readonly number[] = []): Promise<KilledDemo> {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-demo-"));
  try {
    const started = performance.now();
    let killed = 0;
    for (const afterMs of [...killsAfter, undefined]) {
      const { code, signal, stderr } = await start(dir, seed, afterMs);
      if (signal === "SIGKILL") killed += 1;
      else if (code !== 0) throw new Error(`seed ${seed}: exit ${code}: ${stderr}`);
      else break;
    }
    const milliseconds = performance.now() - started;
    const [run, ...others] = readdirSync(join(dir, "runs")).filter((name) => !name.startsWith("."));
    if (run === undefined || others.length > 0) throw new Error(`seed ${seed}: not one run folder: ${run}, ${others}`);
    const verified = await command(["verify", run, "--dir", dir]);
    if (verified.code !== 0) throw new Error(`seed ${seed}: verify: ${verified.stdout}${verified.stderr}`);
    return { result: resultOf(join(dir, "runs", run)), killed, milliseconds };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Starts the demo, or resumes the one that was begun. */
function start(dir: string, seed: number, killAfter: number | undefined) {
  const isBegun = existsSync(join(dir, "runs")) && readdirSync(join(dir, "runs")).some((name) => !name.startsWith("."));
  const words = isBegun ? ["resume", "--continue"] : ["demo", "--seed", String(seed)];
  return command([...words, "--dir", dir, "--quiet"], killAfter);
}

/** Runs the binary; where a time is given, kills it then. */
export async function command(args: readonly string[], killAfter?: number) {
  const { child, ended } = startCommand(args);
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
  const result = await ended;
  clearTimeout(timer);
  return result;
}

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
