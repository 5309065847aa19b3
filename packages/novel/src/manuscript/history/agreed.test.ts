// What is stale is in line again by its author's word, and by nothing less.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { beats, begin, bookRun, treatment, written } from "../../../../../test/fakes/book-runs.ts";
import { openManuscript } from "../files/open.ts";
import { agreedChange } from "./staleness.ts";

it("a file that its author takes as in line is fresh; one whose plan is stale stays so with it", async () => {
  const { test, folder } = await bookRun({ files: written, script: { revise: [treatment("The ship is lost.")] } });
  const stale = async () =>
    (await openManuscript(folder)).stale().flatMap((each) => each.files.map(({ path }) => path));
  const agree = async (...paths: string[]) => {
    const { path, content } = agreedChange(await openManuscript(folder), paths);
    writeFileSync(join(folder, path), content);
  };
  const plan = { path: "chapter-beats/chapter-02.md", content: beats(2, "The lamp breaks.") };
  await begin(test, { kind: "edit", edited: [plan] });
  const prose = { path: "chapters/chapter-02.md", content: written["chapters/chapter-02.md"]!.replace("low", "out") };
  await begin(test, { kind: "edit", target: "prose", edited: [prose], iteration_id: "b" });
  // An edit by hand does not say that its author had the plan in mind.
  expect(await stale()).toEqual([prose.path]);
  await agree(prose.path);
  expect(await stale()).toEqual([]);

  await begin(test, { target: "treatment", feedback: ["Lose the ship"], iteration_id: "c" });
  expect(await stale()).toContain(prose.path);
  await agree(prose.path);
  expect(await stale()).toContain(prose.path);
  await agree(...(await openManuscript(folder)).paths("chapters"));
  expect(await stale()).toEqual([]);
});
