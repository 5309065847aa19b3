// What a loop's block says of limits and commands holds in its sandbox; where the result goes is said once.

import { join } from "node:path";
import type { Configuration, WorkcellOptions } from "@loopwright/core";
import { expect, it } from "vitest";
import { fill, temporaryFolder } from "../../../test/fixtures/workspaces/workspace.ts";
import type { ProjectCell } from "./options.ts";
import { repositoryBelow, type WorkspaceConfiguration, workspaceCells, workspaceSettings } from "./settings.ts";

it("Limits and the command policy of the configuration hold for what is run (real sandbox)", async () => {
  const base = temporaryFolder();
  fill(base, { "user/a.py": "x = 1\n" });
  const own: WorkspaceConfiguration = {
    limits: { seconds: 1, outputChars: 500 },
    policy: { deny: ["echo secret"], allow: ["git add"] },
  };
  const { project } = workspaceCells("code", { own, sandbox: {} } as unknown as Configuration);
  const kept = { workspace: join(base, "user"), state: join(base, "state"), tests: [], heldOut: [], ignore: [] };
  const cell = (await project!({
    ...{ snapshot: undefined, signal: new AbortController().signal },
    configuration: { code: { ...kept, sandbox: "bwrap" } },
  } as unknown as WorkcellOptions)) as ProjectCell;
  const [denied, allowed, slow, loud] = await cell.runCommands([
    ...["echo secret things", "git add --help", "sleep 30", "seq 10000"],
  ]);
  expect(denied!.refused).toContain("the run's policy refuses it");
  expect(allowed!.refused).toBeUndefined();
  expect(slow!.done!.stopped).toBeDefined();
  expect(loud!.done!.output.length).toBeLessThan(1_000);
  await cell.stop();
});

it("A result goes to one place", () => {
  const context = (flags: readonly string[]) => ({
    ...{ dir: temporaryFolder(), list: () => [], isSet: (flag: string) => flags.includes(flag) },
    text: (flag: string) => (flags.includes(flag) ? "fix" : undefined),
  });
  const settings = (...flags: string[]) => workspaceSettings(context(flags), { sandbox: "bwrap" }, { workspace: "." });
  expect(settings()).not.toHaveProperty("patch");
  expect(settings("patch")).toMatchObject({ patch: true });
  expect(settings("branch")).toMatchObject({ branch: "fix" });
  expect(() => settings("branch", "patch")).toThrow(/give --branch or --patch, not both/);
});

it("A workspace that is a file is refused as one, by what named it", () => {
  const dir = temporaryFolder();
  fill(dir, { "stats.py": "x = 1\n" });
  const settings = (given: string | undefined, own: WorkspaceConfiguration = {}) => {
    const text = (flag: string) => (flag === "workspace" ? given : undefined);
    return () => workspaceSettings({ dir, list: () => [], isSet: () => false, text }, own, { workspace: "." });
  };
  const file = join(dir, "stats.py");
  expect(settings(file)).toThrow(
    `--workspace: ${file} is a file, and a folder is wanted (name the folder that it is in: ${dir})`,
  );
  expect(settings(undefined, { workspace: "stats.py" })).toThrow(`workspace in loopwright.yaml: ${file} is a file`);
  expect(settings(join(dir, "new"))).not.toThrow();
});

it("A repository that one stands in is the program, and not all of the folder above that has runs", () => {
  const home = temporaryFolder();
  fill(home, { "repo/.git/HEAD": "", "repo/src/a.py": "", "plain/b.py": "" });
  const none = { dir: home, text: () => undefined };
  expect(repositoryBelow(none, join(home, "repo/src"))).toBe(join(home, "repo"));
  expect(repositoryBelow(none, join(home, "plain"))).toBeUndefined();
  expect(repositoryBelow(none, home)).toBeUndefined();
  expect(repositoryBelow({ ...none, dir: join(home, "repo") }, join(home, "plain"))).toBeUndefined();
  expect(repositoryBelow({ dir: home, text: () => "named" }, join(home, "repo"))).toBeUndefined();
});
