// What a program needs before its tests can run: the user's own commands, run once for each state of the lock files, in a copy of the
// checkout and with the network. The folders of packages that they leave are kept beside the runs' checkouts, and every other job sees
// them read-only, without a network.

import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "@loopwright/core";
import type { Sandbox } from "@loopwright/sandbox";
import { dependenciesIn } from "./dependencies.ts";

/** What became of the commands: they ran, were kept from before, or one of them failed. */
export interface SetUp {
  commands: string[];
  ms: number;
  isKept: boolean;
  failed?: { command: string; said: string };
}

export interface SetUpPlace {
  sandbox: Sandbox;
  /** The run's own folder, its checkout, and the path at which jobs see that. */
  state: string;
  checkout: string;
  inside: string;
  signal: AbortSignal;
}

/** What says which packages a program needs. */
const LOCKS =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|.*requirements.*\.(?:txt|in)|pyproject\.toml|setup\.(?:py|cfg)|Pipfile(?:\.lock)?|poetry\.lock|uv\.lock)$/i;

const MINUTE = 60_000;
const LIMITS = {
  ...{ wallMs: 30 * MINUTE, cpuMs: 60 * MINUTE, processes: 1_024, outputChars: 20_000 },
  ...{ memoryBytes: 2 ** 32, fileBytes: 2 ** 31, diskBytes: 2 ** 34 },
};
const SAID = 600;

/** Runs the commands, unless what they leave is kept from before; undefined where this checkout has been set up by them already. */
export async function setUp(commands: readonly string[], place: SetUpPlace): Promise<SetUp | undefined> {
  const start = performance.now();
  const before = keptSetUp(place.state);
  if (JSON.stringify(before?.commands) === JSON.stringify(commands)) return undefined;
  const locks = readdirSync(place.checkout)
    .filter((name) => LOCKS.test(name))
    .sort();
  const texts = locks.map((name) => [name, readFileSync(join(place.checkout, name), "utf8")]);
  const kept = join(dirname(place.state), "setup", sha256(JSON.stringify([commands, texts])).slice(0, 20));
  const told = (more: Partial<SetUp>): SetUp => ({
    ...{ commands: [...commands], ms: Math.round(performance.now() - start), isKept: false },
    ...more,
  });
  const isKept = existsSync(kept);
  const failed = isKept ? undefined : await install(commands, kept, place);
  if (failed) return told({ failed });
  writeFileSync(join(place.state, FILE), JSON.stringify({ commands, kept }));
  return told({ isKept });
}

async function install(
  commands: readonly string[],
  kept: string,
  { sandbox, checkout, inside, signal }: SetUpPlace,
): Promise<SetUp["failed"]> {
  const part = `${kept}.${randomUUID()}`;
  const tree = join(part, "tree");
  mkdirSync(part, { recursive: true, mode: 0o700 });
  try {
    cpSync(checkout, tree, { recursive: true, verbatimSymlinks: true });
    for (const command of commands) {
      const { code, stopped, output } = await sandbox.run({
        command: ["/bin/sh", "-c", `${VENV}${command}`],
        ...{ workspace: tree, inside, readOnly: [], limits: LIMITS, signal, network: true },
      });
      if (code !== 0) return { command, said: `${stopped ?? `exit code ${code}`}: ${output.trim().slice(-SAID)}` };
    }
    const [made, found] = [join(part, "made"), dependenciesIn(tree)];
    mkdirSync(made);
    for (const path of found) {
      mkdirSync(dirname(join(made, path)), { recursive: true });
      renameSync(join(tree, path), join(made, path));
    }
    if (!existsSync(kept)) renameSync(made, kept);
    return undefined;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** What pip installs goes into a virtual environment of the program's, which is made where a command asks for pip. */
const VENV = `pip() {
  [ -d .venv ] || python3 -m venv --system-site-packages .venv || return
  .venv/bin/python -m pip "$@"
}
`;

const FILE = "setup.json";

function keptSetUp(state: string): { commands: string[]; kept: string } | undefined {
  const file = join(state, FILE);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** Has a checkout that is made anew set up anew. */
export function forgetSetUp(state: string): void {
  rmSync(join(state, FILE), { force: true });
}

/** The folders of packages that jobs see, each with where it is: the user's own, and those that were set up, which go first. */
export function packagesIn(user: string, state: string, named: readonly string[] = []): Map<string, string> {
  const found = (root: string, more?: readonly string[]) =>
    dependenciesIn(root, more).map((path) => [path, join(root, path)] as const);
  const set = keptSetUp(state);
  return new Map([...found(user, named), ...(set ? found(set.kept) : [])]);
}
