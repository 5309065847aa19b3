import { expect, it } from "vitest";
import { agreeable, bookRun, empty } from "../../../../test/fakes/book-runs.ts";
import { git } from "../../../../test/fakes/novel-texts.ts";
import { openManuscript } from "../manuscript/files/open.ts";

const text = "# Whole\n\nI\n\nThe Lamp\n\nMara lit it.\n\nShe wept.\n\nII\n\nIt went out.\n";

const split = (begins: readonly { line: number; title: string }[]) =>
  bookRun({
    files: { ...empty, "chapters/chapter-01.md": text },
    script: { split: [{ json: { begins } }] },
    answers: agreeable,
  });

it("takes a text apart where a model says that its chapters begin, and changes no word of it", async () => {
  const { folder, start, scripted } = await split([
    { line: 9, title: "II" },
    { line: 1, title: "I: The Lamp" },
    { line: 2, title: "no line that stands alone" },
  ]);
  const { outcome, reason } = await start({ kind: "split", target: "prose" });
  expect(`${outcome}: ${reason}`).toMatch(/^done/);
  const files = await (await openManuscript(folder)).read("prose");
  expect(files.map(({ content }) => content)).toEqual([
    "# I: The Lamp\n\nThe Lamp\n\nMara lit it.\n\nShe wept.\n",
    "# II\n\nIt went out.\n",
  ]);
  expect(scripted.asked("split")[0]!.text).toContain("1: I\n3: The Lamp\n5: Mara lit it.");
  expect(git(folder, "log", "-1", "--format=%s").trim()).toBe("[prose] chapters of the imported text");
});

it("leaves a text in which no chapters are found as it is", async () => {
  const { folder, start } = await split([]);
  expect(await start({ kind: "split", target: "prose" })).toMatchObject({ outcome: "declined" });
  expect(await (await openManuscript(folder)).read("prose")).toHaveLength(1);
});
