// Every example of the pages holds. TypeScript is checked by the compiler, all of it in one process, and run where its block says `run`; what
// it prints is the `text` block after it. Commands have names and flags that are there; blocks that say `sh run` are run. YAML and JSON fit
// what reads them.
//
// A block's words: ```ts [run] [FILE], ```sh [run]. Blocks of a page share a folder, so that one can import what another is called. What an
// invisible comment above a block gives (`<!-- given: declare const x: number; -->`) stands before it. The pages of docs/api are made from
// the compiler's own declarations, and hold no examples; the READMEs of packages are run by installed.test.ts.

import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { GateConfig } from "@loopwright/fab";
import { openYaml } from "@loopwright/models/yaml";
import { afterAll, describe, expect, it } from "vitest";
import { readArguments } from "../../packages/loopwright/src/arguments/read-arguments.ts";
import { ConfigurationSchema } from "../../packages/loopwright/src/configuration/schema.ts";
import { allCommands, defaultPackages } from "../../packages/loopwright/src/loops/find-command.ts";
import { type Block, blocksOf, pages, root } from "./markdown.ts";

const blocks = pages()
  .filter((page) => !/^docs\/(api|decisions)\//.test(page) && !/\/(prompts|templates|project)\//.test(page))
  .flatMap(blocksOf);
const written = blocks.filter(({ language }) => language === "ts");

mkdirSync(join(root, ".cache"), { recursive: true });
const folder = mkdtempSync(join(root, ".cache/docs-examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** The file that a block is written to. */
function fileOf({ page, line, words }: Block): string {
  const name = words.find((word) => word.includes(".")) ?? `line-${line}.ts`;
  return join(folder, page.replaceAll("/", "-"), name);
}

for (const block of written) {
  mkdirSync(dirname(fileOf(block)), { recursive: true });
  writeFileSync(fileOf(block), `${block.given}\n${block.text}\nexport {};\n`);
}

describe("TypeScript", () => {
  it("compiles, every block of every page", () => {
    const options = { extends: join(root, "tsconfig.base.json"), include: ["**/*.ts"] };
    const own = { noUnusedLocals: false, noUnusedParameters: false };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...options, compilerOptions: own }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(stdout).toBe("");
    expect(written.length).toBeGreaterThan(20);
  });

  const run = written.filter(({ words }) => words.includes("run"));
  it.concurrent.each(run.map((block) => [`${block.page}:${block.line}`, block] as const))(
    "%s runs",
    async (_, block) => {
      const cwd = mkdtempSync(join(folder, "run-"));
      const args = ["--conditions=loopwright-source", fileOf(block)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd }).catch((error) => {
        throw new Error(`${error.message}\n${error.stdout}`);
      });
      const next = blocks[blocks.indexOf(block) + 1];
      if (next?.page === block.page && next.language === "text") expect(stdout).toBe(next.text);
    },
  );
});

describe("commands", () => {
  const run = blocks.filter(({ language, words }) => language === "sh" && words.includes("run"));
  it.each(run.map((block) => [`${block.page}:${block.line}`, block] as const))("%s run", async (_, { text }) => {
    const cwd = mkdtempSync(join(tmpdir(), "loopwright-docs-"));
    try {
      const binary = join(root, "packages/loopwright/bin/loopwright.js");
      writeFileSync(join(cwd, "loopwright"), `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`, {
        mode: 0o755,
      });
      const env = { ...process.env, PATH: `${cwd}:${process.env.PATH}`, XDG_STATE_HOME: join(cwd, "state") };
      await promisify(execFile)("bash", ["-euc", text], { cwd, env }).catch((error) => {
        throw new Error(`${error.message}\n${error.stdout}`);
      });
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  });

  it("are ones that the command line takes", async () => {
    const known = new Map((await allCommands()).map((command) => [command.name, command]));
    const lines = blocks
      .filter(({ page, language }) => ["", "sh"].includes(language) && !["docs/cli.md", "CHANGELOG.md"].includes(page))
      .flatMap(({ page, text }) => text.split("\n").map((line) => ({ page, line })))
      .filter(({ line }) => /^(npx )?loopwright /.test(line));
    const own = new Set(
      blocks.flatMap(({ language, text }) => (language === "yaml" ? Object.keys(yamlOf(text).loops ?? {}) : [])),
    );
    const findings = lines.flatMap(({ page, line }) => {
      const [name = "", ...args] = shellWords(line.replace(/^(npx )?loopwright /, ""));
      if (own.has(name)) return [];
      const command = known.get(name);
      if (!command) return [`${page}: ${line}: there is no command ${name}`];
      try {
        readArguments(command, args);
        return [];
      } catch (error) {
        return [`${page}: ${line}: ${(error as Error).message}`];
      }
    });
    expect(findings).toEqual([]);
    expect(lines.length).toBeGreaterThan(20);
  });
});

describe("files", () => {
  it("in JSON can be read", () => {
    for (const { language, text } of blocks) if (language === "json") JSON.parse(text);
  });

  it("in YAML fit the schemas of the configuration or of a gate", async () => {
    const packages = await Promise.all(
      (await defaultPackages()).map(async ({ name, package: each }) => [name, await each.configuration?.()] as const),
    );
    const schema = new Map(packages);
    for (const { page, line, text, words } of blocks.filter(({ language }) => language === "yaml")) {
      const value = yamlOf(text);
      const place = `${page}:${line}`;
      // A part of one says so.
      if (text.startsWith("# in a gate\n")) {
        const whole = yamlOf(readFileSync(join(root, "packages/fab/gates/car_realism_v001.yaml"), "utf8"));
        expect(GateConfig.safeParse({ ...whole, ...value }).error?.message, place).toBe(undefined);
        continue;
      }
      if ("gate_config_id" in value) {
        expect(GateConfig.safeParse(value).error?.message, place).toBe(undefined);
        continue;
      }
      const isOwn = ([key]: [string, unknown]) => schema.has(key) || Object.hasOwn((value.loops ?? {}) as object, key);
      const general = Object.fromEntries(Object.entries(value).filter((entry) => !isOwn(entry)));
      expect(ConfigurationSchema.safeParse(general).error?.message, `${place} ${words}`).toBe(undefined);
      for (const [key, block] of Object.entries(value))
        expect(schema.get(key)?.safeParse(block).error?.message, `${place} ${key}`).toBe(undefined);
    }
  });
});

function yamlOf(text: string): Record<string, unknown> {
  return openYaml(text, { file: "a block", code: "YAML_INVALID" }).value as Record<string, unknown>;
}

/** A line as a shell would split it, up to a comment or the next command. */
function shellWords(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  const end = words.findIndex((word) => /^(#|&&?|\||;|>)/.test(word));
  return (end < 0 ? words : words.slice(0, end)).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
}
