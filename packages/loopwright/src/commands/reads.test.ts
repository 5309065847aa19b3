// A record is read once per command, and its events at most once more where it is only looked at.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SqliteJournal } from "@loopwright/core";
import { Terminal } from "@loopwright/terminal";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { climb } from "../../../../test/fakes/loops.ts";
import type { Flags } from "../arguments/read-arguments.ts";
import { Cli } from "../cli.ts";
import { openReported } from "../project.ts";
import { resume } from "./drive.ts";
import * as show from "./show.ts";

const dir = mkdtempSync(join(tmpdir(), "loopwright-reads-"));
let ran: string;
let stopped: string;

beforeAll(async () => {
  await using project = await openReported({ dir });
  ran = (await project.start(climb(), { top: 2 })).run;
  stopped = (await project.start(climb(), { top: 2 }, { slug: "low", ceilings: { iterations: 1 } })).run;
  const loops = resolve(import.meta.dirname, "../../../../test/fakes/loops.ts");
  writeFileSync(join(dir, "climb.ts"), `import { climb } from ${JSON.stringify(loops)};\nexport default climb();\n`);
  writeFileSync(join(dir, "loopwright.yaml"), "loops: { climb: ./climb.ts }\n");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** How often a command has read how the run stands, and its rows. */
async function readsOf(run: string, command: (cli: Cli) => Promise<number>, flags: Flags) {
  const [folds, rows] = [vi.spyOn(SqliteJournal.prototype, "fold"), vi.spyOn(SqliteJournal.prototype, "read")];
  const silent = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const terminal = new Terminal({ isQuiet: false, isJson: flags.json === true, hasColor: false });
  try {
    await command(new Cli(terminal, { arguments: [run], flags: { dir, ...flags } })).catch(() => {});
    return { records: folds.mock.calls.length, rows: rows.mock.calls.length };
  } finally {
    for (const spy of [folds, rows, silent]) spy.mockRestore();
  }
}

describe("a command that looks at a run", () => {
  it.each<[string, (cli: Cli) => Promise<number>, Flags, number]>([
    ["explain", show.explain, {}, 1],
    ["explain --json", show.explain, { json: true }, 1],
    ["show", show.run, {}, 2],
    ["show --json", show.run, { json: true }, 2],
    ["show --calls", show.run, { calls: true }, 2],
    ["show --follow", show.run, { follow: true }, 2],
  ])("%s reads its record once", async (_, command, flags, rows) => {
    expect(await readsOf(ran, command, flags)).toEqual({ records: 1, rows });
  });
});

describe("a command that goes on with a run", () => {
  const flags = { trust: true, "max-iterations": 9 };

  // Rows are read on their own for what it was started with, for what has come since, for the report and for its cost.
  it.each<[string, () => string, number]>([
    ["that has ended", () => ran, 3],
    ["that a ceiling stopped", () => stopped, 4],
  ])("reads the record of one %s once", async (_, run, rows) => {
    expect(await readsOf(run(), resume, flags)).toEqual({ records: 1, rows });
  });
});
