// What a reader gets from npm: the packages packed, installed into an empty folder, and used there. It needs the npm registry, or
// npm's cache of it.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openSandbox } from "@loopwright/sandbox";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBlender } from "../fakes/blender.ts";
import { cli, lastLine, type Words } from "../fakes/cli.ts";
import { bytesOf, install, packagesIn, packBuilt } from "../fakes/install.ts";
import { connectClient } from "../fakes/mcp.ts";

const bwrap = await openSandbox("bwrap").then(
  () => true,
  () => false,
);
const root = join(import.meta.dirname, "../..");
const names = globSync("packages/*/package.json", { cwd: root }).map(
  (file) => JSON.parse(readFileSync(join(root, file), "utf8")).name as string,
);

let folder: string;
let modules: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-installed-"));
  modules = install(join(folder, "all"), packBuilt(join(folder, "packed")));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const inside = (...path: string[]) => join(modules, "..", ...path);
const loopwright = (args: Words, env: Record<string, string> = {}, input = "") =>
  cli(args, { cwd: inside(), env, input, bin: join(modules, "loopwright/bin/loopwright.js") });

/** Runs a program in the folder of the install; gives back what it prints. */
async function run(source: string, name = "program.ts"): Promise<string> {
  writeFileSync(inside(name), source);
  return (await promisify(execFile)(process.execPath, [name], { cwd: inside() })).stdout;
}

describe("an install", () => {
  it("weighs less than 100 MB with every loop, and less than 15 with the core alone", () => {
    expect(bytesOf(modules)).toBeLessThan(100e6);
    const { dependencies } = JSON.parse(readFileSync(join(modules, "@loopwright/core/package.json"), "utf8"));
    expect(dependencies).toEqual({ zod: expect.any(String) });
    expect(bytesOf(join(modules, "@loopwright/core")) + bytesOf(join(modules, "zod"))).toBeLessThan(15e6);
  });

  it("holds no library that is only needed to build, and no types of other packages", () => {
    const unwanted = /docx|gpt-tokenizer|tree-sitter-|opentelemetry|@types\//;
    expect(packagesIn(modules).filter((path) => unwanted.test(path))).toEqual([]);
  });

  it("holds no source map, test, source or build record of ours", () => {
    const unwanted = "{src,**/*.map,**/*.tsbuildinfo,dist/**/*.test.*}";
    for (const name of names) expect(globSync(unwanted, { cwd: join(modules, name) }), name).toEqual([]);
  });

  it("holds a license beside every library of which parts are copied", () => {
    const copied = globSync("{loopwright,@loopwright/*}/vendor/*", { cwd: modules });
    expect(copied.length).toBeGreaterThan(3);
    for (const library of copied) {
      expect(readFileSync(join(modules, library, "LICENSE"), "utf8"), library).toContain(
        "Permission is hereby granted",
      );
      expect(JSON.parse(readFileSync(join(modules, library, "package.json"), "utf8")).version).toMatch(/^\d/);
    }
  });
});

describe("an installed package", () => {
  it("says its version, and shows its prompts", async () => {
    const { version } = JSON.parse(readFileSync(join(modules, "loopwright/package.json"), "utf8"));
    expect((await loopwright("--version")).stdout).toBe(`${version}\n`);
    expect((await loopwright("prompts")).stdout).toMatch(/^code +plan /m);
  });

  it("counts tokens, writes a Word file and parses three languages with the parts that it brings", async () => {
    const printed = await run(`
      import { countTokens } from "@loopwright/models";
      import { exportDocx } from "@loopwright/novel/docx";
      import { withTree } from "@loopwright/workspace/grammar";
      const file = await exportDocx({ title: "T", chapters: [{ title: "One", markdown: "a" }] });
      const kinds = ["python", "typescript", "tsx"].map((grammar) => withTree(grammar, "f(1)", (root) => root.type));
      console.log(JSON.stringify([countTokens("hello world"), file.length > 1_000, await Promise.all(kinds)]));`);
    expect(JSON.parse(printed)).toEqual([2, true, ["module", "program", "program"]]);
  });
});

describe("the examples of the READMEs", () => {
  const examples = globSync("packages/*/README.md", { cwd: root }).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, source]) => ({ path, source: source! }));
  });
  const expected: Record<string, string> = {
    "packages/blender/README.md": "name: 'Cube'",
    "packages/core/README.md": "iterations: 4",
    "packages/git/README.md": "a first version",
    "packages/loopwright/README.md": "",
    "packages/mesh/README.md": "volume: 0.1666",
    "packages/models/README.md": "score: 0.75",
    "packages/sandbox/README.md": "it ran longer than 2 s",
    "packages/terminal/README.md": "took 1 min 23 s",
    "packages/tracker/README.md": "red hatchback [ '[REPAIR] red hatchback (iter 1)' ]",
    "packages/workspace/README.md": "state: 'failed'",
  };

  it("are known with what they print", () => {
    expect(examples.map(({ path }) => path).sort()).toEqual(Object.keys(expected));
  });

  const needs = ({ source }: { source: string }) =>
    source.includes("Blender") ? "blender" : source.includes('"bwrap"') ? "bwrap" : "nothing";

  it.each(examples.filter((each) => needs(each) === "nothing"))("run: $path", async ({ path, source }) => {
    expect(await run(source)).toContain(expected[path]);
  });

  describe.skipIf(!bwrap)("with a sandbox (skipped where bwrap does not work)", () => {
    it.each(examples.filter((each) => needs(each) === "bwrap"))("run: $path", async ({ path, source }) => {
      expect(await run(source)).toContain(expected[path]);
    });
  });

  describe.skipIf(!hasBlender)("with a Blender (skipped where there is none)", () => {
    it.each(examples.filter((each) => needs(each) === "blender"))("run: $path", async ({ path, source }) => {
      expect(await run(source)).toContain(expected[path]);
    });
  });

  it("fit the types that are installed", async () => {
    const files = examples.map(({ source }, index) => {
      writeFileSync(inside(`example-${index}.ts`), source);
      return `example-${index}.ts`;
    });
    const options = "--noEmit --strict --module nodenext --target es2024 --lib es2024,esnext.disposable --types node";
    const typeRoots = ["--typeRoots", join(root, "node_modules/@types")];
    const args = [join(root, "node_modules/typescript/bin/tsc"), ...options.split(" "), ...typeRoots, ...files];
    await expect(promisify(execFile)(process.execPath, args, { cwd: inside() })).resolves.toBeDefined();
  });
});

describe("what comes with the packages", { timeout: 180_000 }, () => {
  it("demo: a hull is fitted until it passes", async () => {
    const ended = await loopwright("demo --seed 1 --json");
    expect(ended.code, ended.stderr).toBe(0);
    expect(lastLine(ended)).toMatchObject({ type: "run-ended", outcome: "done" });
  });

  it.skipIf(!hasBlender)(
    "mcp blender: the server alone serves an MCP client (skipped where there is no Blender)",
    async () => {
      const bin = join(modules, "@loopwright/blender/bin/loopwright-blender.js");
      const mcp = await connectClient(
        new StdioClientTransport({ command: process.execPath, args: [bin], cwd: inside() }),
      );
      const made = await mcp.call("execute_code", { code: "bpy.ops.mesh.primitive_cube_add()" });
      expect(made).toMatchObject({ isError: false, text: expect.stringContaining("Objects (1): Cube") });
      expect((await mcp.call("mesh_report")).text).toContain('"triangles":12');
      await mcp.close();
    },
  );

  it("prompts: each can be shown, with the file that it stands in", async () => {
    const { prompts } = JSON.parse((await loopwright("prompts --json")).stdout);
    expect(prompts.length).toBeGreaterThan(15);
    for (const { file } of prompts) expect(readFileSync(file, "utf8")).toMatch(/^---\n/);
    expect((await loopwright("prompts models mend-error")).stdout).toContain("id: mend-error");
  });

  it("init: a loop of one's own installs from the tarballs, fits the types, and runs", async () => {
    expect(await loopwright("init own --loop haiku")).toMatchObject({ code: 0, stderr: "" });
    install(inside("own"), [], "all");
    await promisify(execFile)(process.execPath, ["node_modules/typescript/bin/tsc"], { cwd: inside("own") });
    const ended = await cli("run haiku -q", {
      cwd: inside("own"),
      bin: inside("own/node_modules/loopwright/bin/loopwright.js"),
    });
    expect(ended.code, ended.stderr).toBe(0);
    // The check can fail: a phase that goes where it may not does not compile.
    const file = inside("own/loops/haiku.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace('ctx.to("judge"', 'ctx.to("nowhere"'));
    const checking = promisify(execFile)(process.execPath, ["node_modules/typescript/bin/tsc"], { cwd: inside("own") });
    await expect(checking).rejects.toMatchObject({ stdout: expect.stringContaining("nowhere") });
  });

  it("init --loop: the project of each loop is begun", async () => {
    const me = {
      ...{ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b.c", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b.c" },
    };
    for (const loop of ["code", "novel"])
      expect(await loopwright(`init begun-${loop} --loop ${loop}`, me)).toMatchObject({ code: 0, stderr: "" });
    expect((await loopwright("novel begun-novel", me, "/status\n/quit\n")).code).toBe(0);
  });

  it("the core alone: a loop runs, stops at its ceiling, and goes on", async () => {
    const packed = globSync("packed/loopwright-core-*.tgz", { cwd: folder }).map((file) => join(folder, file));
    const alone = install(join(folder, "core"), packed);
    expect(packagesIn(alone).sort()).toEqual(["node_modules/@loopwright/core", "node_modules/zod"]);
    const source = `
      import { defineLoop, openProject, passIf } from "@loopwright/core";
      import { z } from "zod";
      const climb = defineLoop({
        name: "climb", version: 1, input: z.object({ top: z.number() }), state: z.object({ height: z.number() }),
        initial: () => ({ height: 0 }), start: "step", iteration: "step",
        phases: {
          step: { to: ["judge"], run: async (state, ctx) =>
            ctx.to("judge", { height: await ctx.effect("climb", { run: () => state.height + 1 }) }) },
          judge: { to: ["step"], run: (state, ctx) => {
            const isThere = ctx.verdict(passIf(state.height === ctx.input.top, state.height / ctx.input.top, "at " + state.height)).verdict === "pass";
            return isThere ? ctx.end("done") : ctx.to("step");
          } },
        },
      });
      await using project = await openProject({ dir: "." });
      const first = await project.start(climb, { top: 3 }, { ceilings: { iterations: 2 } });
      const then = await project.resume(climb, first.run, { ceilings: { iterations: 9 } });
      const { problems } = await project.verify(first.run);
      console.log(JSON.stringify([first.outcome, then.outcome, then.iterations, problems]));`;
    writeFileSync(join(folder, "core/program.ts"), source);
    const { stdout } = await promisify(execFile)(process.execPath, ["program.ts"], { cwd: join(folder, "core") });
    expect(JSON.parse(stdout)).toEqual(["ceiling", "done", 3, []]);
  });
});

describe("a run whose environment names a collector", { timeout: 120_000 }, () => {
  it("goes on with one warning where OpenTelemetry is not installed, and sends spans once it is", async () => {
    const paths: string[] = [];
    const collector = createServer((request, response) => {
      paths.push(request.url ?? "");
      request.resume().on("end", () => response.writeHead(200).end("{}"));
    }).listen(0, "127.0.0.1");
    await once(collector, "listening");
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
    try {
      expect(await loopwright("init loops")).toMatchObject({ code: 0 });
      const without = await loopwright("run tidy --dir loops", env);
      const warnings = without.stderr.split("\n").filter((line) => line.includes("no spans are sent"));
      expect(without.code).toBe(0);
      expect(warnings).toHaveLength(1);
      expect(paths).toEqual([]);
      const [, packages] = /type `npm install ([^`]+)`/.exec(warnings[0]!)!;
      install(inside(), packages!.split(" "));
      const withThem = await loopwright("run tidy --dir loops", env);
      expect(withThem).toMatchObject({ code: 0, stderr: expect.not.stringContaining("spans") });
      expect(new Set(paths)).toEqual(new Set(["/v1/traces"]));
    } finally {
      collector.closeAllConnections();
      collector.close();
    }
  });
});
