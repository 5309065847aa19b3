// A program from nothing that needs a package: a person is asked once, and it goes on with it, or is planned without it.

import { describe, expect, it } from "vitest";
import { codeRun, notesOf, planFor, program } from "../../../test/fakes/code-runs.ts";
import { fakeProject } from "../../../test/fakes/project-cell.ts";
import { code } from "./index.ts";

const wanting = (...packages: string[]) => ({ json: { ...planFor("alpha"), packages } });
const without = { json: planFor("alpha") };

function runOf(...plan: { json: unknown }[]) {
  const project = fakeProject();
  return codeRun({ project, script: { plan, implement: [program("alpha")] } });
}

describe("a plan that needs packages", () => {
  it("waits for a person, and goes on with them where they say yes", async () => {
    const { project, test, start, scripted } = runOf(wanting("requests>=2,<3"));
    const ended = await start();
    expect(ended).toMatchObject({ outcome: "waiting", gate: { name: "packages", default: "no" } });
    expect(ended.gate!.question).toContain("pip install 'requests>=2,<3'");
    await test.engine.answer(ended.run, "yes");
    const done = await test.engine.resume(code, ended.run);
    expect(done).toMatchObject({ outcome: "done", state: { installs: ["pip install 'requests>=2,<3'"] } });
    expect(project.log).toContain("install pip install 'requests>=2,<3'");
    expect(await notesOf(test, ended.run, "setup")).toMatchObject([{ isKept: false }]);
    expect(scripted.asked("plan")).toHaveLength(1);
  });

  it("is planned without them where they say no, and nobody is asked again", async () => {
    const { project, test, start, scripted } = runOf(wanting("requests"), wanting("httpx"), without);
    const ended = await start();
    await test.engine.answer(ended.run, "no");
    expect(await test.engine.resume(code, ended.run)).toMatchObject({ outcome: "done" });
    expect(scripted.asked("plan")[1]!.text).toContain(
      "a person does not want it to be installed: plan without requests",
    );
    expect(scripted.asked("plan")[2]!.text).toContain("plan without httpx");
    expect(project.log.join()).not.toContain("install");
  });

  it.each(["--index-url=http://x y", "a; rm -rf /", "$(id)", "git+https://x/y", "'a'"])(
    "is planned without what is no name of a package: %s",
    async (name) => {
      const { start, scripted } = runOf(wanting(name), without);
      expect(await start()).toMatchObject({ outcome: "done" });
      expect(scripted.asked("plan")[1]!.text).toContain("holds names and versions alone");
    },
  );
});
