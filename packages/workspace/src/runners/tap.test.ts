import { expect, it } from "vitest";
import { readTap } from "./tap.ts";

it("every test point has its name, its state and what it says; those of a subtest stand under it", () => {
  const text = [
    "TAP version 14",
    "# Subtest: sums",
    "    ok 1 - adds",
    "    not ok 2 - carries # time=3ms",
    "      ---",
    "      at: sums.js:3",
    "      ...",
    "    1..2",
    "not ok 1 - sums",
    "ok 2 - whole \\# sign",
    "ok 3 - slow # SKIP not here",
    "not ok 4 - later # TODO",
    "not ok 5 empty",
    "1..5",
  ].join("\n");
  expect(readTap(text).tests).toMatchObject([
    { name: "sums > adds", state: "passed" },
    {
      name: expect.stringMatching(/^sums > carries/),
      state: "failed",
      failure: expect.stringContaining("at: sums.js:3"),
    },
    { name: "whole \\# sign", state: "passed" },
    { name: "slow", state: "skipped" },
    { name: "later", state: "xfailed" },
    { name: "empty", state: "failed" },
  ]);
});

it("a report that ends before its plan does, or gives up, is truncated", () => {
  for (const text of ["TAP version 13\nok 1 - a\n", "ok 1 - a\n1..2\n", "1..1\nok 1 - a\nBail out!\n"])
    expect(readTap(text)).toEqual({ fault: expect.stringMatching(/truncated: 1 of/) });
});
