// The workcells that a run can be in, as its own record and the project's configuration say.

import { join } from "node:path";
import { type Configuration, type Json, UsageError, type WorkcellStart } from "@loopwright/core";
import type { HullConfiguration } from "./configuration.ts";
import { startLoft } from "./loft/index.ts";
import type { HullTask } from "./task.ts";

/** What a run keeps of how it was started. */
export interface HullSettings {
  sandbox: "bwrap" | "none";
  /** Where its scenes are kept. */
  state: string;
}

/** The workcells of a project. */
export function hullCells({ own }: Pick<Configuration<HullConfiguration>, "own">): Record<string, WorkcellStart> {
  const server = own?.workcell?.mcp;
  return {
    loft: startLoft,
    blender: async (options) => {
      const { baseline } = options.input as unknown as HullTask;
      const { sandbox, state } = settingsOf(options.configuration, options.folder);
      if (server && sandbox !== "none")
        throw new UsageError(
          "MCP_UNSANDBOXED",
          "hull.workcell.mcp in loopwright.yaml names a server that runs code without a sandbox of ours: if that is meant, start the run with --sandbox none",
        );
      const blend = baseline?.blend;
      const bytes = typeof blend === "string" ? Buffer.from(blend, "base64") : undefined;
      const { mcpCells } = await import("@loopwright/blender");
      return mcpCells({ state, sandbox, server, baseline: bytes })(options);
    },
  };
}

function settingsOf(configuration: Json, folder: string | undefined): HullSettings {
  const kept = (configuration as { hull?: Partial<HullSettings> } | null)?.hull;
  const { sandbox = "bwrap", state = folder && join(folder, "../../../scenes") } = kept ?? {};
  if (state === undefined)
    throw new UsageError(
      "HULL_STATE",
      "this run says nothing of where its scenes are; start it with: `loopwright hull`",
    );
  return { sandbox, state };
}
