// Whether a sandboxed Blender can be had here; tests that need one are skipped by name where it cannot.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBlender } from "@loopwright/blender";
import { openSandbox } from "@loopwright/sandbox";

export const hasBlender = await Promise.all([findBlender(), openSandbox("bwrap")]).then(
  () => true,
  () => false,
);

/** The real Blender as a program in a folder, which reads where nothing is (SIGSEGV) as soon as it begins to render. */
export async function crashingBlender(folder: string): Promise<string> {
  const at = join(folder, "crashing-blender");
  mkdirSync(at);
  writeFileSync(
    join(at, "crash.py"),
    `import bpy, ctypes

@bpy.app.handlers.persistent
def crash(*_):
    ctypes.string_at(0)

bpy.app.handlers.render_init.append(crash)
`,
  );
  const program = `#!/bin/sh\nexec "${(await findBlender()).path}" --python "${at}/crash.py" "$@"\n`;
  writeFileSync(join(at, "blender"), program, { mode: 0o755 });
  return join(at, "blender");
}
