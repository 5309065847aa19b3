// Several attempts at one input: real processes, one of them killed in between.

import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCommand } from "../crash/demos.ts";
import { Folder } from "../fakes/cli.ts";

const demo = join(import.meta.dirname, "../../packages/hull/demo");

describe("--attempts", { timeout: 180_000 }, () => {
  it("makes as many runs, takes the best, and goes on with all of them after kill -9", async () => {
    using at = new Folder();
    cpSync(demo, at.dir, { recursive: true });
    const words = [
      "hull",
      "--workcell",
      "loft",
      "--builder",
      "search",
      "--seed",
      "5",
      "--dir",
      at.dir,
      "--attempts",
      "3",
    ];
    const { child, ended } = startCommand([...words, "--max-iterations", "4", "--json"]);
    let verdicts = 0;
    child.stdout.on("data", (text: string) => {
      verdicts += text.split('"type":"verdict-recorded"').length - 1;
      if (verdicts >= 3) child.kill("SIGKILL");
    });
    expect(await ended).toMatchObject({ signal: "SIGKILL" });
    const { code, stdout, stderr } = await at.cli(["resume", "--continue"]);
    expect([0, 5], stderr).toContain(code);
    const runs = JSON.parse((await at.cli(["runs", "--all", "--json"])).stdout).runs as { run: string; loop: string }[];
    expect(runs.map(({ loop }) => loop).sort()).toEqual(["hull", "hull", "hull", "hull-attempts"]);
    const folder = join(at.dir, "runs", runs.find(({ loop }) => loop === "hull-attempts")!.run);
    expect(readFileSync(join(folder, "attempts.md"), "utf8")).toMatch(
      /\| attempt \| outcome \| score \| iterations \|/,
    );
    expect(existsSync(join(folder, "attempt-000", "final.glb"))).toBe(true);
    expect(stdout).toContain("attempt-3");
  });

  it("is refused for a loop that makes one attempt only", async () => {
    using at = new Folder();
    const { code, stderr } = await at.cli(["run", "fab", "--attempts", "2"]);
    expect(code).toBe(2);
    expect(stderr).toContain("fab makes one attempt only");
  });
});
