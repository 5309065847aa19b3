// Whether a sandboxed Blender can be had here; tests that need one are skipped by name where it cannot.

import { findBlender } from "@loopwright/blender";
import { openSandbox } from "@loopwright/sandbox";

export const hasBlender = await Promise.all([findBlender(), openSandbox("bwrap")]).then(
  () => true,
  () => false,
);
