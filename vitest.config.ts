import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["loopwright-source"] },
  ssr: { resolve: { conditions: ["loopwright-source"] } },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: "./test/build.ts",
    testTimeout: 30_000,
    reporters: ["default", "./scripts/count-reporter.ts"],
  },
});
