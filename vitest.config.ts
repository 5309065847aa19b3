import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["loopwright-source"] },
  ssr: { resolve: { conditions: ["loopwright-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: "./test/build.ts",
    // What Node itself resolves, such as the packages of loops, is the source too.
    execArgv: ["--conditions=loopwright-source"],
    // Most tests wait for other processes: on two cores, two files at once.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A busy machine is no reason to fail: what must be quick says so itself.
    testTimeout: 120_000,
    reporters: ["default", "./scripts/count-reporter.ts"],
  },
});
