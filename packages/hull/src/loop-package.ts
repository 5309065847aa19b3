// Everything that the hull loop brings along. The loop itself is loaded when a run needs it.

import { defineLoopPackage } from "@loopwright/core";

export default defineLoopPackage({
  loop: async () => (await import("./index.ts")).hull,
  workcells: async () => (await import("./index.ts")).workcells,
  demo: {
    summary: "Fits a parametric boat hull to three reference silhouettes",
    details:
      "Each iteration proposes a hull, carries it out, renders it, and judges the renders against the references, until the score passes. Its builder is a search, not a model; nothing but Node is needed.",
    run: async (context) => (await import("./commands/demo.ts")).runDemo(context),
  },
});
