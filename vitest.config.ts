import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that flood the disk or the machine: they run when all others are done, so that no other waits for theirs. */
const heavy = ["test/attack/hostile-workspace.test.ts"];

/** Tests that take longest: they begin first, so that no core waits for the last of them. */
const long = [
  "test/crash/crash.test.ts",
  "test/frozen/frozen.test.ts",
  "packages/novel/src/crash.test.ts",
  "packages/code/src/repository.test.ts",
  "packages/code/src/crash.test.ts",
  "packages/novel/src/repository/crash.test.ts",
  "test/e2e/cli/looking.test.ts",
  "test/e2e/fab-escalations.test.ts",
  "test/attack/judge.test.ts",
  "packages/blender/src/hostile.test.ts",
  "test/e2e/installed.test.ts",
  "test/crash/fab.test.ts",
  "test/crash/hull.test.ts",
  "test/fab/critics.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => long.some((path) => moduleId.endsWith(`/${path}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: { conditions: ["loopwright-source"] },
  ssr: { resolve: { conditions: ["loopwright-source"] } },
  test: {
    globalSetup: ["./test/build.ts", "./test/surroundings.ts"],
    // What Node itself resolves, such as the packages of loops, is the source too.
    execArgv: ["--conditions=loopwright-source"],
    // Many tests wait for other processes: on two cores, three files at once.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // A busy machine is no reason to fail: what must be quick says so itself.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Among thousands of tests with real processes one may fail on a busy machine. In CI it is tried once more, and named.
    retry: process.env.CI === "true" ? 1 : 0,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./scripts/count-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "usual",
          include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...heavy],
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: "heavy", include: heavy, maxConcurrency: 2, sequence: { groupOrder: 1 } } },
    ],
  },
});
