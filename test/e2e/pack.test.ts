// `npm run pack`, in a small clone with one package: what is packed comes from the sources, and what runs from the clone goes on.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { npm } from "../fakes/install.ts";

const root = join(import.meta.dirname, "../..");
let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "loopwright-pack-"));
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), typeof content === "string" ? content : JSON.stringify(content));
}

it("builds beside the clone: its dist/ stays as it is, and no file is packed whose source is gone", () => {
  cpSync(join(root, "scripts/pack.ts"), join(clone, "scripts/pack.ts"));
  const scripts = { build: "tsc -b tsconfig.build.json", pack: "node scripts/pack.ts" };
  write("package.json", { private: true, type: "module", workspaces: ["packages/*"], scripts });
  write("tsconfig.base.json", { compilerOptions: { module: "nodenext", types: [] } });
  write("tsconfig.build.json", { files: [], references: [{ path: "packages/core" }] });
  const core = { name: "@loopwright/core", version: "0.2.0", type: "module", files: ["dist"] };
  write("packages/core/package.json", core);
  const compilerOptions = { composite: true, rootDir: "src", outDir: "dist" };
  write("packages/core/tsconfig.json", { extends: "../../tsconfig.base.json", compilerOptions, include: ["src"] });
  write("packages/core/src/index.ts", "export const made = 'now';\n");
  write("packages/core/dist/index.js", "export const made = 'before';\n");
  write("packages/core/dist/gone.js", "export {};\n");
  mkdirSync(join(clone, "node_modules/@loopwright"), { recursive: true });
  symlinkSync(join(root, "node_modules/.bin"), join(clone, "node_modules/.bin"));
  symlinkSync("../../packages/core", join(clone, "node_modules/@loopwright/core"));

  npm(clone, "run", "pack");

  const dist = join(clone, "packages/core/dist");
  expect(readdirSync(dist).sort()).toEqual(["gone.js", "index.js"]);
  expect(readFileSync(join(dist, "index.js"), "utf8")).toContain("before");
  const packed = (...args: string[]) =>
    execFileSync("tar", [...args], { cwd: join(clone, "packed"), encoding: "utf8" });
  expect(packed("-tf", "loopwright-core-0.2.0.tgz")).not.toContain("gone.js");
  expect(packed("-xOf", "loopwright-core-0.2.0.tgz", "package/dist/index.js")).toContain("now");
  expect(readdirSync(join(clone, ".cache"))).toEqual([]);
});
