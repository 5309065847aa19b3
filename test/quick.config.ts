// The quick tier (`npm run test:quick`): unit tests, and one end-to-end test of each loop. What it leaves out takes long, for it starts
// hundreds of real programs: `npm test` runs everything.

import { defineConfig } from "vitest/config";
import whole from "../vitest.config.ts";

/** One of each loop, through the real binary: hull, code, novel, fab. */
const endToEnd = ["test/e2e/cli/demo.test.ts", "test/e2e/code.test.ts", "test/e2e/fab.test.ts"];

const slow = [
  "**/crash*.test.ts", // killed before and after every commit
  "**/hostile*.test.ts",
  "packages/blender/**", // a Blender each
  "packages/hull/src/{workcell,game-asset}/**",
  "packages/hull/src/{loop,folder,search/baseline}.test.ts",
  "packages/fab/src/{chain,judging,renders}.test.ts",
  "packages/workspace/src/{runners,change,checkout,snapshots,folder}/**", // a sandbox each
  "packages/workspace/src/index.test.ts",
  "packages/code/src/{repository,workspace,prompts}.test.ts",
  "packages/novel/src/*.test.ts", // whole iterations, with git
  "packages/novel/src/{repository,phases,repl,reach,judging,writing,cascade,structure,variants}/**",
  "packages/novel/src/{said/words-at-gates,said/kept-named,style/style}.test.ts",
  "packages/core/src/journal/{sqlite*.test.ts,sqlite/**}",
  "packages/models/src/parse/parse.test.ts", // thousands of answers
  "packages/novel/src/exchange/docx.test.ts",
  "packages/hull/src/{demo,task/state}.test.ts", // the demo is among the end-to-end tests
  "packages/mesh/src/{views/view,glb/model,checks/check}.test.ts", // many pictures and meshes
  "packages/fab/src/critics/checks.test.ts",
  "packages/sandbox/src/scan.test.ts",
];

export default defineConfig({
  ...whole,
  root: new URL("..", import.meta.url).pathname,
  test: {
    ...whole.test,
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: ["packages/*/src/**/*.test.ts", ...endToEnd],
          exclude: ["**/node_modules/**", ...slow],
        },
      },
    ],
  },
});
