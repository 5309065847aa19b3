// Node before 24: whatever is imported says in one sentence what to do. With every older Node that is on the PATH, and with
// this one when it says that it is older.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const packages = join(import.meta.dirname, "../../packages");
const pretend = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
const pretending = [process.execPath, "--import", `data:text/javascript,${encodeURIComponent(pretend)}`];

/** Programs called node on the PATH that are older than what is needed. */
function olderNodes(): string[] {
  const found = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
  const major = (node: string) => Number(execFileSync(node, ["-p", "process.versions.node"]).toString().split(".")[0]);
  return [...new Set(found)].filter((node) => existsSync(node) && major(node) < 24);
}

const nodes = [pretending, ...olderNodes().map((node) => [node])];

function entryOf(name: string): string {
  const { exports } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
  return pathToFileURL(join(packages, name, exports["."].default)).href;
}

describe.each(nodes.map((node) => [node.length > 1 ? "that is pretended" : node[0]!, node] as const))(
  "an older Node, %s,",
  (_, [command, ...flags]) => {
    it.each(readdirSync(packages))("is told by the package %s what to do, in one sentence", (name) => {
      const program = `import(${JSON.stringify(entryOf(name))}).catch((error) => console.log(error.code + ": " + error.message))`;
      const { stdout } = spawnSync(command!, [...flags, "-e", program], { encoding: "utf8" });
      expect(stdout).toMatch(
        /^NODE_TOO_OLD: Loopwright needs Node 24 or newer, and this is \d+\.\d+\.\d+: .*npm install node@26.*\n$/,
      );
    });
  },
);
