// A record is read once per command, and its events at most once more.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteJournal } from "@loopwright/core";
import { Terminal } from "@loopwright/terminal";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { climb } from "../../../../test/fakes/loops.ts";
import type { Flags } from "../arguments/read-arguments.ts";
import { Cli } from "../cli.ts";
import { openReported } from "../project.ts";
import * as show from "./show.ts";

const dir = mkdtempSync(join(tmpdir(), "loopwright-reads-"));
let ran: string;

beforeAll(async () => {
  await using project = await openReported({ dir });
  ran = (await project.start(climb(), { top: 2 })).run;
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** How often a command has read how the run stands, and its rows. */
async function readsOf(command: (cli: Cli) => Promise<number>, flags: Flags) {
  const [folds, rows] = [vi.spyOn(SqliteJournal.prototype, "fold"), vi.spyOn(SqliteJournal.prototype, "read")];
  const silent = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const terminal = new Terminal({ isQuiet: false, isJson: flags.json === true, hasColor: false });
  try {
    await command(new Cli(terminal, { arguments: [ran], flags: { dir, ...flags } })).catch(() => {});
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
    expect(await readsOf(command, flags)).toEqual({ records: 1, rows });
  });
});
