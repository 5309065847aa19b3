// A model as a hostile party: what it answers costs no more than its iteration, and what is shown of it is text.

import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";
import { startFaultServer } from "../fakes/fault-server.ts";
import { bwrap } from "../sandbox/bwrap-works.ts";

const plan = [{ file: "a.mjs", action: "create", functions: [{ name: "a", signature: "a()", pseudocode: "1" }] }];
const ESCAPE = "\u001b]0;pwned\u0007\u001b[2J\u009b31m";

describe.skipIf(!bwrap)("A terminal (skipped where bwrap does not work)", { timeout: 120_000 }, () => {
  it("gets no control sequences from names of tests, diagnoses, plans or refused paths", async () => {
    await using server = await startFaultServer();
    server.otherwise = ({ body }) => {
      const system = String(body.messages.find(({ role }) => role === "system")?.content ?? "");
      const tests = `import test from "node:test";\nimport assert from "node:assert";\nimport { a } from "./a.mjs";\ntest("x${JSON.stringify(ESCAPE).slice(1, -1)}", () => { assert.equal(a(), 1); throw new Error(${JSON.stringify(ESCAPE)}); });\n`;
      if (system.includes("You plan"))
        return { text: JSON.stringify({ tests: { filename: "a.test.mjs", content: tests }, plan }) };
      if (system.includes("You audit")) return { text: JSON.stringify({ tests_correct: true, issues: [ESCAPE] }) };
      if (system.includes("You review")) return { text: JSON.stringify({ diagnosis: `d ${ESCAPE}`, plan }) };
      return {
        text: `APPROACH: ${ESCAPE}\n===FILE: a.mjs===\nexport const a = () => 2;\n===END FILE===\n===FILE: ../${ESCAPE}===\nx\n===END FILE===\n===CMD===\nsudo ${ESCAPE}\n===END CMD===\n`,
      };
    };
    using at = new Folder();
    await at.write("task.md", "# Task\n\nWrite a.mjs.\n");
    const ended = await at.cli([
      "code",
      "--url",
      server.url,
      "--model",
      "desk",
      "--max-iterations",
      "2",
      "--seed",
      "1",
    ]);
    const shown = await at.cli(["show"]);
    const said = ended.stdout + ended.stderr + shown.stdout + shown.stderr;
    expect(said).toContain("a.test.mjs > x");
    expect(said.match(/(?![\n\t\r])\p{Cc}.{0,20}/gu) ?? []).toEqual([]);
  });
});

/** Long lines by which patterns go back and forth, and long texts by which searches do: each took minutes, or hours. */
const many = 100_000;
const answers: [string, string][] = [
  ["a mark with many spaces", `===FILE:${" ".repeat(many)}x`],
  ["a mark with spaces and letters", `===FILE: ${" a".repeat(many)}${" ".repeat(many)}x`],
  ["a mark of nothing but equals signs", `===FILE: ${"=".repeat(many)}x`],
  ["a fence that names a long language and holds a backtick", `\`\`\`${"a".repeat(many)}\``],
  ["a fence with a long path that is none", `\`\`\`py ${"a/".repeat(many)}=\nx\n\`\`\`\n`],
  ["thoughts that are never closed", "<think>".repeat(many)],
  [
    "an edit of equal lines that is nowhere",
    `===EDIT: same.py===\n<<<<<<< SEARCH\n${"\n".repeat(many)}x\n=======\ny\n>>>>>>> REPLACE\n===END EDIT===\n`,
  ],
  [
    "edits without number",
    `===EDIT: same.py===\n${"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n".repeat(20_000)}===END EDIT===\n`,
  ],
  [
    "a source that is nested too deeply",
    `===FILE: a.mjs===\nexport const a = () => 1${"+1".repeat(50_000)};\n===END FILE===\n`,
  ],
];

describe.skipIf(!bwrap)("An answer (skipped where bwrap does not work)", { timeout: 120_000 }, () => {
  // A run reads three of them, one after another, and then one that is right.
  const groups = [0, 3, 6].map((from) => {
    const three = answers.slice(from, from + 3);
    return { titles: three.map(([title]) => title).join(", then "), hostile: three.map(([, text]) => text) };
  });
  it.each(groups)("of $titles is read, and the run goes on to its end", async ({ hostile }) => {
    await using server = await startFaultServer();
    let asked = 0;
    server.otherwise = ({ body }) => {
      const system = String(body.messages.find(({ role }) => role === "system")?.content ?? "");
      const tests =
        'import test from "node:test";\nimport assert from "node:assert";\nimport { a } from "./a.mjs";\ntest("a", () => { assert.equal(a(), 1); });\n';
      if (system.includes("You plan"))
        return { text: JSON.stringify({ tests: { filename: "a.test.mjs", content: tests }, plan }) };
      if (system.includes("You audit")) return { text: JSON.stringify({ tests_correct: true, issues: [] }) };
      if (system.includes("You review")) return { text: JSON.stringify({ diagnosis: "d", plan }) };
      asked += 1;
      return {
        text: hostile[asked - 1] ?? "APPROACH: one\n===FILE: a.mjs===\nexport const a = () => 1;\n===END FILE===\n",
      };
    };
    using at = new Folder();
    await at.write("task.md", "# Task\n\nWrite a.mjs.\n");
    await at.write("workspace/same.py", "\n".repeat(190_000));
    const ended = await at.cli([
      "code",
      "--url",
      server.url,
      "--model",
      "desk",
      "--min-iterations",
      "1",
      "--max-iterations",
      "4",
      "--seed",
      "1",
      "--json",
    ]);
    expect(lastLine(ended), ended.stderr).toMatchObject({ type: "run-ended", outcome: "done" });
    expect(asked).toBeGreaterThan(hostile.length);
  });
});
