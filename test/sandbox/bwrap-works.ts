// Whether the sandbox works on this machine; where it does not, the tests that need it are skipped by name.

import { openSandbox, type Sandbox } from "@loopwright/sandbox";

/** The sandbox with bubblewrap, or undefined where there is none. */
export const bwrap: Sandbox | undefined = await openSandbox("bwrap").catch(() => undefined);
