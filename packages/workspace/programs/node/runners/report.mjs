// The last thing that a runner's parent does: nothing that was tested lives on, and the report is the only thing there.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** Ends what tests have left running, writes the report, and leaves with the code that says so. */
export function writeReport({ reports, isolated }, told) {
  // Only where this is a sandbox's own world of processes.
  if (isolated && readFileSync("/proc/1/comm", "utf8").trim() === "bwrap") {
    try {
      process.kill(-1, "SIGKILL");
    } catch {}
  }
  for (const name of readdirSync(reports)) rmSync(`${reports}/${name}`, { recursive: true, force: true });
  writeFileSync(`${reports}/report.json`, JSON.stringify(told), { flag: "wx" });
  process.exit(0);
}
