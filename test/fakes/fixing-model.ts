// A program that answers in a model's place: it writes one file, whatever it is asked.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const planned = {
  ...{
    tests_correct: true,
    issues: [],
    diagnosis: "it is wrong",
    dk_addition: "",
    confidence: "low",
    target_tests: [],
  },
};

/** The flag that has every question answered with this file. */
export async function fixingModel(path: string, content: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-model-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const plan = [{ file: path, action: "modify", functions: [] }];
  const file = join(folder, "answer");
  const written = `APPROACH: fix it\n===FILE: ${path}===\n${content}\n===END FILE===`;
  writeFileSync(
    file,
    `#!/bin/sh\nif grep -q ===FILE; then cat <<'END'\n${written}\nEND\nelse cat <<'END'\n${JSON.stringify({ ...planned, plan })}\nEND\nfi\n`,
  );
  for (const place of [folder, file]) await chmod(place, 0o755);
  return `--model command:${file}`;
}
