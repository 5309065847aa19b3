// Blender as a workcell of a loop, driven by MCP: one for each run and attempt. Scenes that a loop may come back to are kept
// beside it, where they outlive the process.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkcellStart } from "@loopwright/core";
import { openSandbox } from "@loopwright/sandbox";
import { McpBlender } from "./cell.ts";
import type { OtherServer } from "./connection.ts";
import { Files, otherServer, ownServer } from "./server.ts";

/** What workcells behind MCP are made with. */
export interface McpCellOptions {
  /** Where runs keep the scenes that they may come back to: each run in a folder of its own. */
  state: string;
  sandbox?: "bwrap" | "none";
  /** Another server in place of ours. */
  server?: OtherServer | undefined;
  /** The .blend that a run begins with, as bytes. */
  baseline?: Uint8Array | undefined;
}

/** Starts Blenders: each at a snapshot of its run, or at the baseline. */
export function mcpCells({ state, sandbox = "bwrap", server, baseline }: McpCellOptions): WorkcellStart<McpBlender> {
  return async ({ snapshot, run, folder }) => {
    const files = new Files(join(state, run));
    const place = folder ?? mkdtempSync(join(tmpdir(), "loopwright-mcp-"));
    const out = join(place, "out");
    const kind = await openSandbox(sandbox);
    const open = (scene: string | undefined) =>
      server
        ? otherServer(server, out, scene)
        : ownServer({ sandbox: kind, folder: join(place, "blender"), hasSpare: false }, out, scene);
    const cell = await McpBlender.start(files, open, snapshot ?? (baseline && files.keep(baseline)));
    const stop = cell.stop.bind(cell);
    cell.stop = async () => {
      await stop();
      rmSync(place, { recursive: true, force: true });
    };
    return cell;
  };
}
