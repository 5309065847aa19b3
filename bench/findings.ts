// How often the scan of a change blocks honest work: the patches that Debian carries for Python and JavaScript packages.
//
// The workload was fixed before the first look: every source package of Debian's main whose section is python or javascript and
// whose format is 3.0 (quilt), in the order of the SHA-256 of its name; of each the patches of its series that change a Python,
// JavaScript or TypeScript file that is no test; until there are so many. A file is known by its hunks alone: what it did before is
// known in part, and a hunk that is cut in the middle of a statement may hide something, so that `named` counts every patch that
// adds a line with a name that hard findings are made of. It needs a Debian with apt and a network. Nothing that is fetched is kept.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Change, isTestFile, scanChange } from "@loopwright/workspace";
import { grammarOf } from "@loopwright/workspace/grammar";
import { type Apt, fetchSource, openApt, readSeries, unpackPatches } from "./debian/apt.ts";

const PATCHES = 200;

/** Hard findings on at most so many of a hundred honest patches. */
export const aims = { hard_share: 0.02 };

const call = promisify(execFile);

/** Scans patch after patch until there are enough of them. */
export async function run({ quick }: { quick: boolean }) {
  const wanted = quick ? 20 : PATCHES;
  const place = mkdtempSync(join(tmpdir(), "loopwright-findings-"));
  const seen = { patches: 0, packages: 0, hard: 0, shown: 0, named: 0 };
  try {
    const apt = await openApt(place);
    for (const name of await packagesOf(apt)) {
      if (seen.patches >= wanted) break;
      const folder = await unpack(apt, name, join(place, "package"));
      const patches = folder === undefined ? [] : changesOf(folder, wanted - seen.patches);
      if (patches.length > 0) seen.packages += 1;
      for (const { patch, changes } of patches) {
        const findings = await scanChange(changes);
        const hard = findings.filter(({ severity }) => severity === "hard");
        for (const { code, message } of hard) console.error(`${name}, ${patch}: ${code}: ${message}`);
        seen.patches += 1;
        seen.hard += hard.length > 0 ? 1 : 0;
        seen.named += hard.length > 0 || changes.some(namesOne) ? 1 : 0;
        seen.shown += hard.length === 0 && findings.length > 0 ? 1 : 0;
      }
      console.error(`${seen.patches} patches, ${name}`);
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  const shareOf = (count: number) => count / seen.patches;
  return {
    ...seen,
    hard_share: shareOf(seen.hard),
    shown_share: shareOf(seen.shown),
    named_share: shareOf(seen.named),
  };
}

/** The packages of the workload, in its order. */
async function packagesOf({ lists }: Apt): Promise<string[]> {
  const index = readdirSync(lists).find((name) => /_Sources(?:\.\w+)?$/.test(name));
  if (index === undefined) throw new Error("apt-get update brought no list of sources");
  const options = { maxBuffer: 2 ** 30 };
  const { stdout } = await call("/usr/lib/apt/apt-helper", ["cat-file", join(lists, index)], options);
  const names = stdout.split("\n\n").flatMap((entry) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(entry)?.[1] ?? "";
    const isWanted = /^(?:python|javascript)$/.test(field("Section")) && field("Format") === "3.0 (quilt)";
    return isWanted ? [field("Package")] : [];
  });
  const order = (name: string) => createHash("sha256").update(name).digest("hex");
  return [...new Set(names)].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** The folder of a package's patches; undefined where it cannot be had, or has none. */
async function unpack(apt: Apt, name: string, folder: string): Promise<string | undefined> {
  rmSync(folder, { recursive: true, force: true });
  try {
    await fetchSource(apt, name, folder, ["--diff-only"]);
    await unpackPatches(folder);
  } catch (error) {
    console.error(`left out: ${name}: ${(error as Error).message.split("\n").at(-2) ?? error}`);
    return undefined;
  }
  return existsSync(join(folder, "debian/patches/series")) ? join(folder, "debian/patches") : undefined;
}

/** What each patch of the series changes in sources. */
function changesOf(folder: string, most: number): { patch: string; changes: Change[] }[] {
  return readSeries(folder)
    .map(({ name, text }) => ({ patch: name, changes: hunksOf(text) }))
    .filter(({ changes }) => changes.length > 0)
    .slice(0, most);
}

/** What the names of runners and built-ins stand for, wherever in the file they were imported. */
const PRELUDE = {
  python: "import builtins, pytest, unittest\nfrom unittest import TestCase\n",
  script: 'import assert from "node:assert"; import { expect, vi } from "vitest"; import chai from "chai";\n',
};

/** The sources that a patch changes and that are no tests, as its hunks show them. */
function hunksOf(patch: string): Change[] {
  const files = patch.split(/^(?=--- )/m).slice(1);
  return files.flatMap((text): Change[] => {
    const path = /^\+\+\+ ([^\t\n]+)/m.exec(text)?.[1]?.trim().split("/").slice(1).join("/") ?? "";
    const grammar = grammarOf(path);
    if (grammar === undefined || isTestFile(path)) return [];
    const prelude = grammar === "python" ? PRELUDE.python : PRELUDE.script;
    return text
      .split(/^@@.*\n/m)
      .slice(1)
      .map((hunk) => {
        const lines = hunk.split("\n").filter((line) => /^[ +-]/.test(line));
        return { path, before: prelude + sideOf(lines, "+"), after: prelude + sideOf(lines, "-") };
      });
  });
}

/** One side of a hunk, as far to the left as it goes: it may stand deep in a class. */
function sideOf(lines: readonly string[], other: string): string {
  const own = lines.filter((line) => !line.startsWith(other)).map((line) => line.slice(1));
  const depths = own.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  return own.map((line) => line.slice(Math.min(...depths))).join("\n");
}

/** The names that hard findings are made of, however they are used: what a hunk cut in the middle may hide is among these. */
const NAMES =
  /\b_pytest\b|\b__?builtins?__\b|\bbuiltins\.\w+\s*=[^=]|\b[A-Z]\w+\.prototype\b|__eq__|asymmetricMatch|__vitest_|\bprocess\.(?:exit|send|stdout\.write)\s*=[^=]|\b(?:pytest|unittest|TestCase|assert|expect)(?:\.\w+)+\s*=[^=]|\bexpect\.extend\b/;

/** Whether a change adds a line with such a name. */
function namesOne({ before, after }: Change): boolean {
  const known = new Set(before?.split("\n").map((line) => line.trim()));
  return after.split("\n").some((line) => !known.has(line.trim()) && NAMES.test(line));
}
