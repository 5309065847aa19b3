// `loopwright issue` with the real binary: what a person types and sees.

import { describe, expect, it } from "vitest";
import { allDocuments } from "../../../scripts/docs/json-schema.ts";
import { Folder } from "../../fakes/cli.ts";

const { issue: IssueDocument } = await allDocuments();

/** A folder, and its `loopwright issue`. */
function folder() {
  const at = new Folder();
  const issue = (...words: string[]) => at.cli(["issue", ...words]);
  const create = async (...words: string[]) => (await issue("create", "--title", ...words)).stdout.trim();
  return { at, issue, create, [Symbol.dispose]: () => at[Symbol.dispose]() };
}

describe.concurrent("loopwright issue", { timeout: 120_000 }, () => {
  it("goes from an issue to what is ready, closed and opened again", async () => {
    using here = folder();
    const { issue, create, at } = here;
    const asset = ["--kind", "car", "--gate", "car_realism_v001", "--prompt", "a red hatchback"];
    const car = await create("red hatchback", ...asset);
    expect(car).toMatch(/^lw-[a-z0-9]{4}$/);
    const urgent = await create("wheels first", "--priority", "P0", "--tag", "wheels");
    expect((await issue("link", urgent, "blocks", car)).stdout).toBe(`${urgent} blocks ${car}\n`);
    expect((await issue("ready", "--quiet")).lines).toEqual([urgent]);
    expect((await issue("list")).lines).toEqual([
      expect.stringMatching(new RegExp(`^${car}  P2  open  \\d+ s +red hatchback  @gate:car_realism_v001$`)),
      expect.stringMatching(new RegExp(`^${urgent}  P0  open  \\d+ s +wheels first  wheels$`)),
    ]);
    const shown = (await issue("show", car.slice(3))).stdout;
    for (const words of [
      "red hatchback",
      "a red hatchback",
      `waits for    ${urgent}`,
      `${urgent} blocks ${car}`,
      "created",
    ])
      expect(shown).toContain(words);
    expect((await issue("close", urgent, "--reason", "done by hand")).stdout).toBe(`${urgent} is closed\n`);
    expect((await issue("ready", "--quiet")).lines).toEqual([car]);
    await issue(
      "update",
      car,
      "--status",
      "escalated",
      "--tag",
      "@human-escalated",
      "--remove-tag",
      "@gate:car_realism_v001",
      "--template",
      "car_sedan_template_v001",
    );
    await issue("reopen", urgent);
    const { value } = await at
      .cli(["issue", "show", car, "--json"])
      .then(({ stdout }) => ({ value: JSON.parse(stdout) }));
    expect(IssueDocument!.safeParse(value).error?.issues).toBeUndefined();
    expect(value.issue).toMatchObject({
      status: "escalated",
      tags: ["@human-escalated"],
      asset: { kind: "car", gate: "car_realism_v001", prompt: "a red hatchback", template: "car_sedan_template_v001" },
    });
    expect(value.history.map(({ what }: { what: string }) => what)).toEqual(["created", "linked", "changed"]);
    expect((await issue("list", "--status", "escalated", "--quiet")).lines).toEqual([car]);
    expect((await issue("list", "--tag", "wheels", "--quiet")).lines).toEqual([urgent]);
    expect((await issue("unlink", urgent, "blocks", car)).code).toBe(0);
  });

  it("lists none that is open with how many are closed, and how to list them", async () => {
    using here = folder();
    const { issue, create, at } = here;
    const one = await create("one");
    await issue("close", one);
    const only = `The only issue in ${at.dir} is closed: loopwright issue list --all lists it.\n`;
    expect((await issue("list")).stdout).toBe(only);
    const two = await create("two", "--tag", "wheels");
    const others = `There are no such issues in ${at.dir} (2 issues in all): loopwright issue list --all lists them.\n`;
    expect((await issue("list", "--tag", "nope")).stdout).toBe(others);
    expect((await issue("list", "--status", "blocked")).stdout).toBe(others);
    await issue("close", two);
    const closed = `All 2 issues in ${at.dir} are closed: loopwright issue list --all lists them.\n`;
    expect((await issue("list")).stdout).toBe(closed);
    expect((await issue("list", "--tag", "wheels")).stdout).toBe(closed);
    expect((await issue("list", "--quiet")).stdout).toBe("");
  });

  it("lets no control character of an issue reach the terminal", async () => {
    using here = folder();
    const hostile = "a\u001b[2J\u001b]0;owned\u0007 \u009b31m\u202eb\r\nc";
    const id = await here.create(
      hostile,
      "--description",
      `one\ntwo ${hostile}`,
      "--tag",
      "t\u001b[31m",
      "--prompt",
      hostile,
    );
    expect(id).toMatch(/^lw-/);
    await here.issue("close", id, "--reason", hostile);
    for (const words of [
      ["list", "--all"],
      ["show", id],
    ]) {
      const { stdout, code } = await here.issue(...words);
      expect(code).toBe(0);
      expect(stdout).toContain("a b c");
      expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
  });

  it("writes and reads files in the shape of beads, and is not halved by a bad line", async () => {
    using here = folder();
    const { issue, create, at } = here;
    const [a, b] = [await create("a", "--kind", "car"), await create("b")];
    await issue("link", a, "parent", b);
    await issue("export", "issues.jsonl");
    const text = at.read("issues.jsonl");
    expect((await issue("export")).stdout).toBe(text);
    using other = folder();
    await other.at.write("issues.jsonl", text);
    await other.at.write("bad.jsonl", `${text}{"id":"bd-1"}\nnonsense\n`);
    const bad = await other.issue("import", "bad.jsonl");
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing was imported") });
    expect(bad.stderr).toMatch(/line 3: title: [\s\S]*line 4: this is no JSON/);
    expect((await other.issue("import", "issues.jsonl")).stdout).toBe(
      "2 created, 0 changed, 0 here already, as new or newer\n",
    );
    expect((await other.issue("import", "issues.jsonl")).stdout).toContain("0 created, 0 changed, 2 here already");
    expect((await other.issue("export")).stdout).toBe(text);
    expect((await other.at.cli("issue import -", { input: text })).stdout).toContain("2 here already");
  });

  it("says what is wrong and what to type, and leaves nothing behind where it only looks", async () => {
    using here = folder();
    const { issue, at } = here;
    expect((await issue("list")).stdout).toContain("There are no issues in");
    expect((await issue("ready", "--json")).stdout).toContain('"issues": []');
    expect((await issue("create", "--title", "x", "--dry-run")).stdout).toBe('would create "x"\n');
    expect((await issue("show", "lw-none")).code).toBe(2);
    expect(at.listing()).toEqual({});
    const [a, b] = [await here.create("a"), await here.create("b")];
    await issue("link", a, "blocks", b);
    const cases: [string[], RegExp][] = [
      [["create"], /--title is missing.*loopwright issue create --title/],
      [["create", "a title"], /does not know what 'a title' is.*--title/],
      [["crate"], /<action> is .*did you mean 'create'/],
      [["show"], /needs an issue's id \(`loopwright issue list` shows them\)/],
      [["show", "lw-none"], /there is no issue 'lw-none' \(`loopwright issue list --all` shows them\)/],
      [["show", "lw"], /'lw' fits 2 issues/],
      [["update", a], /nothing of lw-.... is to be changed \(name it: --status/],
      [["update", a, "--status", "done"], /--status is open, in_progress, blocked, escalated, closed, not 'done'/],
      [["update", a, "--priority", "P9"], /--priority is P0, P1, P2, P3, not 'P9'/],
      [["link", a], /needs two issues and what is between them \(`loopwright issue link A blocks B`\)/],
      [["link", a, "before", b], /<relation> is blocks or fix-for or parent, not 'before'/],
      [
        ["link", b, "parent", a],
        new RegExp(
          `circle: ${b} is a part of ${a}, which blocks ${b} \\(take one away: \`loopwright issue unlink ${a} blocks ${b}\`\\)`,
        ),
      ],
      [["import"], /needs a file \(`loopwright issue import issues\.jsonl`\)/],
      [["import", "none.jsonl"], /there is no file .*none\.jsonl/],
      [["import", "."], /is no plain file/],
    ];
    for (const [words, message] of cases) {
      const { code, stderr, stdout } = await issue(...words);
      expect(stderr, words.join(" ")).toMatch(message);
      expect({ code, stdout }, words.join(" ")).toEqual({ code: 2, stdout: "" });
    }
  });

  it("is open to a command of another package, which works on the same issues", async () => {
    using at = new Folder();
    await at.write("loopwright.yaml", "loops: { mine: mine.ts }\n");
    await at.write(
      "mine.ts",
      `import { defineLoopPackage } from "@loopwright/core";
       import { openTracker } from "@loopwright/tracker";
       const run = async ({ dir, output }) => {
         const tracker = await openTracker({ dir, by: "mine" });
         const { id } = await tracker.create({ title: "of mine", asset: { any: ["thing"] } });
         output.print(id);
         await tracker.close();
         return 0;
       };
       export default defineLoopPackage({ commands: [{ name: "mine", summary: "makes an issue", run }] });`,
    );
    const id = (await at.cli("mine")).stdout.trim();
    expect((await at.cli(["issue", "show", id])).stdout).toMatch(/of mine[\s\S]*any +\S*thing[\s\S]*mine {2}created/);
  });
});
