// docs/extending.md, to the letter: the package is built from the page, tested, packed, installed beside the packed Loopwright in an
// empty folder, run, killed and resumed. It needs the npm registry, or npm's cache of it.

import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, startCli } from "../fakes/cli.ts";
import { install, npm, packBuilt } from "../fakes/install.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/extending.md"), "utf8");
/** The files of the page: blocks that name one. */
const files = [...page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, path, text]) => [path!, text!] as const);

let folder: string;
let project: string;
let tested = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-extending-"));
  project = join(folder, "project");
  const author = join(folder, "palette-loop");
  for (const [path, text] of files) write(join(path === "loopwright.yaml" ? project : author, path), text);
  const packed = packBuilt(join(folder, "packed"));
  const core = packed.find((file) => file.includes("loopwright-core-"))!;
  install(author, ["typescript@7", "@types/node@26", core, "zod"], "all");
  tested = npm(author, "test");
  npm(author, "pack");
  install(project, [...packed, join(author, "palette-loop-1.0.0.tgz")]);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const bin = () => join(project, "node_modules/loopwright/bin/loopwright.js");
const loopwright = (args: string, input = "") => cli(args, { cwd: project, bin: bin(), input });

describe("a loop package built from docs/extending.md", () => {
  it("has the files that the page names", () => {
    expect(files.map(([path]) => path)).toEqual([
      "package.json",
      "tsconfig.json",
      ...["src/easel.ts", "src/critics.ts", "src/loop.ts", "src/index.ts", "src/loop.test.ts"],
      "loopwright.yaml",
    ]);
  });

  it("passes its own crash test", () => {
    expect(tested).toMatch(/pass 1\n[\s\S]*fail 0/);
  });

  it("never says more of a figure than it is", async () => {
    const built = (file: string) => import(join(folder, "palette-loop/dist", file));
    const { notes } = (await built("index.js")).default;
    expect(notes["palette-kept"]({ colors: ["#000000"], score: 0.8997 })).toBe("kept #000000 (0.899)");
    const { readable, distinct } = await built("critics.js");
    expect(readable.look(["#777777"]).findings[0].message).toBe("#777777 has a contrast of 4.4, and needs 4.5");
    expect(distinct.look(["#000000", "#353531"]).reason).toBe("the nearest two are 89 apart");
  });

  it("has a command with help, and is named in the main help without being loaded", async () => {
    const help = await loopwright("palette --help");
    expect(help.stdout).toMatch(/--colors N +how many \(5\)/);
    expect(help.stdout).toContain("--max-iterations");
    expect((await loopwright("--help")).stdout).toMatch(
      /palette +loopwright palette --help, or loopwright run palette/,
    );
    expect(await loopwright("palette --color 3")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did you mean --colors?"),
    });
  });

  it("holds its block of the configuration to its schema", async () => {
    const wrong = await loopwright("palette -c palette.colors=99 --dry-run");
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("'palette.colors' is 99: expected") });
    const unknown = await loopwright("palette -c palette.colours=3 --dry-run");
    expect(unknown.stderr).toContain("did you mean 'colors'?");
    const plan = await loopwright("palette --dry-run --json");
    expect(JSON.parse(plan.stdout)).toMatchObject({ type: "plan", input: { colors: 4 } });
  });

  it("runs, is killed and resumed, asks its gate in its own words, and tells its notes", async () => {
    const started = startCli("palette --colors 3 --slowly --seed 5", { cwd: project, bin: bin() });
    await started.line("iteration 4");
    started.send("SIGKILL");
    const { stdout: printed } = await started.ended;
    expect(printed).toMatch(/kept #[0-9a-f]{6} /);
    const resumed = await loopwright("resume", "keep\n");
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stdout).toMatch(/Take #[0-9a-f]{6} /);
    expect(resumed.stdout).toContain("done");
    const [run] = globSync("runs/*/attempt-000/palette.json", { cwd: project });
    expect(JSON.parse(readFileSync(join(project, run!), "utf8")).colors).toHaveLength(3);
    expect((await loopwright("show")).stdout).toMatch(/ {2}kept #[0-9a-f]{6} /);
    const [report] = globSync("runs/*/report.html", { cwd: project });
    expect(readFileSync(join(project, report!), "utf8")).toMatch(/kept #[0-9a-f]{6} /);
  });

  it("runs by its name too, and takes answers from flags", async () => {
    const run = await loopwright(`run palette --input {"colors":2} --answer take=keep --seed 3`);
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toContain("answered 'yes' (by flag)");
  });
});
