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
    testTimeout: 30_000,
    reporters: ["default", "./scripts/count-reporter.ts"],
  },
});
