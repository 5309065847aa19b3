// What an install weighs, and how fast the installed program starts. Every package is packed as npm publishes it, and installed
// from its tarball into an empty folder, with production dependencies only. Sizes are sums of files, in millions of bytes.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesOf, install, packagesIn, tarballsIn } from "../test/fakes/install.ts";
import { median, round, time } from "./cli.ts";

export const aims = { core_mb: 15, core_dependencies: 3, loopwright_mb: 100, cold_start_ratio: 1.5 };

const LARGEST = 10;

/** Packs, installs, weighs and starts. */
export async function run({ quick }: { quick: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-install-"));
  try {
    const packed = join(folder, "packed");
    const pack = join(import.meta.dirname, "../scripts/pack.ts");
    execFileSync(process.execPath, [pack, packed], { stdio: ["ignore", "ignore", "inherit"] });
    const tarballs = tarballsIn(packed);
    const core = install(
      join(folder, "core"),
      tarballs.filter((file) => /loopwright-core-\d[^/]*$/.test(file)),
    );
    const all = install(join(folder, "all"), tarballs);
    showLargest(all);
    return {
      core_mb: megabytes(core),
      core_dependencies: packagesIn(core).length - 1,
      loopwright_mb: megabytes(all),
      loopwright_packages: packagesIn(all).length,
      ...coldStart(join(all, "loopwright/bin/loopwright.js"), quick ? 5 : 31),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function megabytes(folder: string): number {
  return round(bytesOf(folder) / 1e6);
}

function showLargest(modules: string): void {
  const sizes = packagesIn(modules).map((path) => ({ path, size: bytesOf(join(modules, "..", path)) }));
  const largest = sizes.sort((a, b) => b.size - a.size).slice(0, LARGEST);
  for (const { path, size } of largest) {
    console.error(`${(size / 1e6).toFixed(2).padStart(6)} MB  ${path.replace("node_modules/", "")}`);
  }
}

/** `--version` against the same Node on an empty script, in turns. */
function coldStart(binary: string, rounds: number) {
  const empty = join(binary, "../../empty.mjs");
  writeFileSync(empty, "");
  const times = { bare: [] as number[], version: [] as number[] };
  for (let round = -3; round < rounds; round++) {
    const took = { bare: time([empty]), version: time([binary, "--version"]) };
    if (round < 0) continue;
    times.bare.push(took.bare);
    times.version.push(took.version);
  }
  const [bare, version] = [median(times.bare), median(times.version)];
  return { bare_node_ms: round(bare), version_ms: round(version), cold_start_ratio: round(version / bare) };
}
