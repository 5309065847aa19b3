// Records the code loop's sessions again after a change of its prompts: FROZEN=again npx vitest run test/frozen -t again
//
// (then npx biome format --write). Each request gets the answer that was recorded for the one most like it. Read the difference before it is committed: where a prompt
// asks for something else now, an old answer is none, and a mind has to give another one.

import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Folder } from "../fakes/cli.ts";
import { startFaultServer } from "../fakes/fault-server.ts";

const root = join(import.meta.dirname, "../..");
const fixtures = join(root, "test/fixtures/code");
const demo = join(root, "packages/code/demo");
const demoTask = /const TASK =\s*"(.*)";/.exec(
  readFileSync(join(root, "packages/code/src/commands/demo.ts"), "utf8"),
)![1]!;

interface Entry {
  request: { prompt: string[]; model: string };
  answer: { text: string[] };
}
type Cassette = { entries: Entry[] };

/** The entry whose prompt has the most lines in common with this one. */
function mostLike(entries: readonly Entry[], prompt: string): Entry {
  const lines = new Set(prompt.split("\n"));
  const likeness = ({ request }: Entry) => {
    const own = new Set(request.prompt);
    const common = [...own].filter((line) => lines.has(line)).length;
    return common / (own.size + lines.size - common);
  };
  return entries.toSorted((a, b) => likeness(b) - likeness(a))[0]!;
}

async function recordAgain(file: string, folder: string, words: readonly string[]): Promise<void> {
  const old: Cassette = JSON.parse(readFileSync(file, "utf8"));
  await using server = await startFaultServer();
  server.otherwise = ({ prompt }) => ({ text: mostLike(old.entries, prompt).answer.text.join("\n") });
  using at = new Folder();
  cpSync(folder, at.dir, { recursive: true, filter: (path) => !path.endsWith("cassette.json") });
  const model = ["--model", old.entries[0]!.request.model, "--url", server.url];
  const cassette = ["--cassette", "cassette.json", "--cassette-mode", "record"];
  const ended = await at.cli(["code", ...words, ...model, ...cassette, "--seed", "1", "--json"]);
  expect(ended.code, ended.stdout.slice(-1_000) + ended.stderr).toBe(0);
  const made: Cassette = JSON.parse(at.read("cassette.json"));
  for (const entry of made.entries) {
    const same = old.entries.find(({ answer }) => answer.text.join("\n") === entry.answer.text.join("\n"));
    if (same) entry.answer = same.answer;
  }
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
}

/** Every session of the code loop that has a cassette. */
export const recordings: Record<string, () => Promise<void>> = {
  python: () => recordAgain(join(fixtures, "python/cassette.json"), join(fixtures, "python"), []),
  typescript: () => recordAgain(join(fixtures, "typescript/cassette.json"), join(fixtures, "typescript"), []),
  demo: () => recordAgain(join(demo, "cassette.json"), join(demo, "harbor"), [demoTask, "--workspace", "."]),
};
