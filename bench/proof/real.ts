// Real changes: from one version of an npm package that ships its tests to a later one, with the tests of the later one. Right is the later version; wrong are those
// that lack one part of it and pass the tests all the same. What is said of each is printed; nobody has written a ledger for them.
//
//   node -C loopwright-source bench/proof/real.ts node_modules/find-my-way-9.6 node_modules/find-my-way test/issue-*.js
//
// The tests that are for the change are named last; all that the package ships are run. A Debian source package before and after its series of patches will do as well.

import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Evidence, linesOf, wordsOf } from "@loopwright/code/proof";
import { isTestFile } from "@loopwright/workspace";
import { evidenceOf } from "./evidence-of.ts";

const [, , before = "", after = "", ...tests] = process.argv;
const read = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");
const paths = globSync("**/*.{py,js,cjs,mjs,ts}", { cwd: after, exclude: ["node_modules/**", "test/**", "tests/**"] });
const changed = paths.filter(
  (path) => existsSync(join(before, path)) && !isTestFile(path) && read(before, path) !== read(after, path),
);
const texts = (folder: string) => Object.fromEntries(changed.map((path) => [path, read(folder, path)]));
const program = { folder: after, files: texts(before), task: "", tests, budget: 20 };

const say = (name: string, evidence: Evidence) => {
  const lines = linesOf(evidence, undefined).filter(({ name: each }) => each !== "statements of the task");
  console.log(`${name}: ${wordsOf(lines)}`);
};
const right = await evidenceOf(program, texts(after));
say("right", right);
for (const { kind, outcome, path, start, end, text, title } of right.trials) {
  if (kind !== "hunk" || outcome !== "missed") continue;
  const source = read(after, path);
  const lacking = { ...texts(after), [path]: source.slice(0, start) + text + source.slice(end) };
  say(`wrong, ${title}`, await evidenceOf(program, lacking));
}
