import { randomStream } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { runDemo } from "./demos.ts";

const MINUTES = 60_000;

describe("a demo that is killed with SIGKILL and resumed", { timeout: 5 * MINUTES }, () => {
  it("ends as the unbroken one of the same seed does, byte for byte, in one run folder", async () => {
    const seed = 11;
    const unbroken = await runDemo(seed);
    expect(unbroken.result.outcome).toBe("done");
    expect(unbroken.result.files).toHaveProperty("attempt-000/final.glb");
    const random = randomStream("demo kills in CI");
    const killed = await runDemo(
      seed,
      Array.from({ length: 5 }, () => 1 + random() * (unbroken.events / 8)),
    );
    expect(killed.killed).toBe(5);
    expect(killed.result).toEqual(unbroken.result);
  });
});
