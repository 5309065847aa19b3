// The demo: what it would do, and that it runs offline to its end.

import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../../fakes/cli.ts";

describe.concurrent("demo", () => {
  it("--dry-run says what it would do, and writes nothing", async () => {
    using at = new Folder();
    const { stdout, stderr, code } = await at.cli("demo --dry-run");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("hull (version 1)");
    expect(stdout).toContain("Nothing was called and nothing was written.");
    const plan = await at.document("demo --dry-run --seed 4 --max-iterations 3");
    expect(plan).toMatchObject({ type: "plan", loop: "hull", seed: 4, ceilings: { iterations: 3 } });
    expect(at.listing()).toEqual({});
  });

  it("--json ends with run-ended, and a seed gives the same scores again", async () => {
    using at = new Folder();
    using other = new Folder();
    const flags = "demo --json --seed 7 --max-iterations 2";
    const [one, two] = await Promise.all([at.cli(flags), other.cli(flags)]);
    expect(one.stderr).toBe("");
    expect(one.code).toBe(3);
    expect(JSON.parse(one.lines[0]!)).toMatchObject({ type: "run-started", loop: "hull", seed: 7 });
    expect(lastLine(one)).toMatchObject({ type: "run-ended", outcome: "ceiling", iterations: 2 });
    const scores = (lines: string[]) =>
      lines.map((line) => JSON.parse(line).score).filter((score) => score !== undefined);
    expect(scores(one.lines).length).toBeGreaterThan(1);
    expect(scores(two.lines)).toEqual(scores(one.lines));
  }, 120_000);

  it("repairs the shipped example, and leaves the example as it is", async () => {
    using at = new Folder();
    const ended = await at.cli("demo repair");
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout).toContain("total += fineOf(loan)");
    // A long path may be broken over lines.
    expect(ended.stdout.replaceAll(/\s/g, "")).toMatch(/appliedtotheprogramin\S+\/workspaces\/\S+\/program:fines\.ts/);
    expect(ended.stdout).not.toContain("your files");
    const shipped = join(import.meta.dirname, "../../../packages/repair/demo/fines.ts");
    expect(readFileSync(shipped, "utf8")).toContain("total = fineOf");
  });

  it("without bubblewrap says what works with it, and that works", async () => {
    using at = new Folder();
    await mkdir(join(at.dir, "bin"));
    for (const name of ["git", "node"]) symlinkSync(programPath(name), join(at.dir, "bin", name));
    const env = { PATH: join(at.dir, "bin") };
    const refused = await at.cli("demo repair", { env });
    expect(refused.code, refused.stdout).toBe(2);
    const [typed] = /-c \S+=none/.exec(refused.stderr) ?? [refused.stderr];
    const ended = await at.cli(`demo repair ${typed}`, { env });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout).toContain("WITHOUT A SANDBOX");
  }, 120_000);
});

function programPath(name: string): string {
  const folders = [dirname(process.execPath), ...process.env.PATH!.split(delimiter)];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))!;
}
