import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: "./test/build.ts",
    testTimeout: 30_000,
    reporters: ["default", "./scripts/count-reporter.ts"],
  },
});
