// Templates as a person judges them: the real program, with pictures by Blender.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GateConfig } from "@loopwright/fab";
import type { Built } from "./templates.ts";

const binary = join(import.meta.dirname, "../../packages/loopwright/bin/loopwright.js");

/** How many of the assets pass their gate in a profile. */
export function countPassed(
  built: readonly Built[],
  gates: Record<Built["kind"], GateConfig>,
  profile: string,
): number {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-bench-"));
  try {
    return built.filter(({ name, kind, bytes }) => {
      const file = join(folder, `${name}.glb`);
      writeFileSync(file, bytes);
      const words = ["fab", "judge", file, "--gate", gates[kind].gate_config_id, "--profile", profile, "--trust"];
      const command = ["-C", "loopwright-source", binary, ...words];
      const { status, stdout } = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" });
      if (status !== 0) console.error(`${name} in ${profile}: exit ${status}\n${stdout}`);
      return status === 0;
    }).length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
