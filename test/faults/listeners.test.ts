// Listeners and views that fail, at once or later: each costs a warning, and neither the run nor its process.

import { describe, expect, it } from "vitest";
import { start, tempFolder } from "./harness.ts";

describe("a run goes on to its end, and its process with it, where", () => {
  it.each([
    "a listener rejects",
    "a listener rejects later",
    "a listener rejects with something odd",
    "a listener throws a symbol",
    "a view cannot save",
    "a view cannot show",
  ])("%s", async (fails) => {
    const { code, lines, stderr } = await start("bad-listener", [JSON.stringify({ dir: await tempFolder(), fails })])
      .ended;
    expect(JSON.parse(lines.at(-1) ?? JSON.stringify(stderr))).toEqual({ outcome: "done", isWhole: true });
    expect(code).toBe(0);
    expect(stderr).toMatch(/a (listener|view) failed/);
  });
});
