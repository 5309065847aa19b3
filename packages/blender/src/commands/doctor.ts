// What `loopwright doctor` says of Blender: which one there is, whether it starts in the sandbox, and what was tested.

import type { MachineFinding } from "@loopwright/core";
import { findBlender, INSTALL, testedVersions } from "../program.ts";

const enables = `Blender as a workcell and as an MCP server (${INSTALL})`;
const tested = `tested: ${testedVersions.map((version) => `${version}.x`).join(", ")}`;

export async function examine(): Promise<readonly MachineFinding[]> {
  try {
    const { version, path, isTested } = await findBlender();
    const note = isTested ? tested : `not tested with this one; ${tested}`;
    return [{ name: "blender", state: "ok", found: `${version} (${path}; ${note})`, enables }];
  } catch (error) {
    const found = process.env.LOOPWRIGHT_BLENDER === undefined ? "not installed" : (error as Error).message;
    return [{ name: "blender", state: "missing", found, enables: `would enable: ${enables}` }];
  }
}
