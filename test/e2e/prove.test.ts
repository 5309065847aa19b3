// A result on a branch, its proof attached, and `loopwright prove` where someone else has cloned it: by the steps of action.yml too.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allDocuments } from "../../scripts/docs/json-schema.ts";
import { Folder } from "../fakes/cli.ts";
import { startFaultServer } from "../fakes/fault-server.ts";
import { bwrap } from "../sandbox/bwrap-works.ts";

const repository = {
  "stay.py": "def cost(nights, rate):\n    return nights * rate\n",
  "test_stay.py": "from stay import cost\n\n\ndef test_cost():\n    assert cost(2, 10) == 20\n",
};
const tests =
  "from stay import cost\n\n\ndef test_week():\n    assert cost(7, 10) == 63\n\n\ndef test_six():\n    assert cost(6, 10) == 60\n";
const plan = {
  target_tests: [],
  tests: { filename: "test_week.py", content: tests },
  plan: [{ file: "stay.py", action: "a tenth less from 7 nights on", functions: [] }],
  requirements: [{ statement: "a tenth less from 7 nights on", tests: ["test_week", "test_six"] }],
};
const edit =
  "APPROACH: a discount\n===EDIT: stay.py===\n<<<<<<< SEARCH\n    return nights * rate\n=======\n    if nights >= 7:\n        return nights * rate * 9 // 10\n    return nights * rate\n>>>>>>> REPLACE\n===END EDIT===\n";

const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
    encoding: "utf8",
  });

/** A repository in which a run has left a branch with its proof. */
async function proven(at: Folder): Promise<string> {
  const repo = join(at.dir, "repo");
  mkdirSync(repo);
  for (const [path, text] of Object.entries(repository)) writeFileSync(join(repo, path), text);
  git(repo, "init", "-q", "-b", "main");
  git(repo, "add", "-A");
  git(repo, "commit", "-qm", "stays");
  await using server = await startFaultServer();
  server.next(
    { text: JSON.stringify(plan) },
    { text: edit },
    { text: '{ "diagnosis": "nothing", "complete": true, "plan": [] }' },
  );
  const words = ["code", "a tenth less from 7 nights on", "--workspace", "repo", "--branch", "fix", "--model", "desk"];
  const { code, stdout, stderr } = await at.cli([...words, "--url", server.url, "-c", "code.proof.budget=100x"]);
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain("shown");
  return repo;
}

describe.skipIf(!bwrap)("prove (skipped where bwrap does not work)", { timeout: 300_000 }, () => {
  it("holds on a clone by the note alone, in the steps of action.yml, and refuses what was changed", async () => {
    using at = new Folder();
    const repo = await proven(at);
    const clone = join(at.dir, "clone");
    git(at.dir, "clone", "-q", "-b", "fix", repo, clone);
    const action = readFileSync(join(import.meta.dirname, "../../action.yml"), "utf8");
    const scripts = [...action.matchAll(/^ {6}run: (?:\|\n((?: {8}.*\n)+)|(.*))/gm)].map(
      ([, many, one]) => many ?? one!,
    );
    expect(scripts).toHaveLength(3);
    const steps = scripts.map((script) => script.replace(/npx .* prove/, '"$NODE" "$BIN" prove'));
    const bin = join(import.meta.dirname, "../../packages/loopwright/bin/loopwright.js");
    const env = { ...process.env, NODE: process.execPath, BIN: bin, BUNDLE: "", SHOWN: "true", VERSION: "" };
    const said = execFileSync("bash", ["-e", "-c", steps.join("\n")], { cwd: clone, env, encoding: "utf8" });
    expect(said).toContain("It holds: shown.");

    // Elsewhere in time: the note is on a commit whose base is gone, and a bundle is forged.
    const bundle = join(at.dir, "runs", at.runs()[0]!, "attempt-000/proof");
    const read = (name: string) => readFileSync(join(bundle, name), "utf8");
    const again = await at.cli(["prove", bundle, "--json"], { cwd: clone });
    expect(again.code).toBe(0);
    expect((await allDocuments()).prove!.safeParse(JSON.parse(again.stdout)).error?.issues).toBe(undefined);
    const changed = async (name: string, from: RegExp, to: string) => {
      const before = read(name);
      writeFileSync(join(bundle, name), before.replace(from, to));
      const { code, stdout } = await at.cli(["prove", bundle], { cwd: clone });
      writeFileSync(join(bundle, name), before);
      expect(code).toBe(5);
      return stdout;
    };
    expect(await changed("change.patch", /9 \/\/ 10/, "8 // 10")).toContain("change.patch was changed");
    expect(await changed("change.patch", /== 63/, "!= 64")).toContain("change.patch was changed");
    expect(await changed("mutants.json", /"noticed"/, '"missed"')).toContain("mutants.json was changed");
    expect(await changed("proof.json", /"state": "passed"/, '"state": "failed"')).toContain(
      "does not say what follows",
    );
    const base = git(repo, "rev-parse", "main").trim();
    expect(await changed("proof.json", new RegExp(base, "g"), git(repo, "rev-parse", "fix").trim())).toMatch(
      /base is another|does not fit/,
    );
    expect(await changed("proof.json", new RegExp(base, "g"), "0".repeat(40))).toContain("is not in this repository");
  });
});
