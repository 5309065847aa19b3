// What a loop is tested with: `import { killAtEveryCommit, memoryEngine } from "@loopwright/core/testing"`.

export * from "./crash.ts";
export * from "./engine.ts";
export * from "./kill-at-every-commit.ts";
export * from "./scripted-model.ts";
