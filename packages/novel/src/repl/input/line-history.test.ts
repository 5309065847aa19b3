import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendHistory, HISTORY_SIZE, historyFile, readHistory } from "./terminal-input.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lw-lines-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("The lines that were typed", () => {
  it("are kept in the project and given back newest first, each once", async () => {
    const file = historyFile(folder);
    for (const line of ["one", "two", "one", "three⏎four"]) appendHistory(file, line);
    expect(await readHistory(file)).toEqual(["three⏎four", "one", "two"]);
  });

  it("are cut where the file has grown long", async () => {
    const file = join(folder, "lines");
    writeFileSync(file, Array.from({ length: 3 * HISTORY_SIZE }, (_, at) => `line ${at}\n`).join(""));
    expect(await readHistory(file)).toHaveLength(HISTORY_SIZE);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(HISTORY_SIZE);
    expect(lines.at(-1)).toBe(`line ${3 * HISTORY_SIZE - 1}`);
  });

  it("are none where the file cannot be read or written, and nothing comes of it", async () => {
    expect(await readHistory(join(folder, "missing"))).toEqual([]);
    writeFileSync(join(folder, "file"), "");
    expect(() => appendHistory(join(folder, "file", "below"), "line")).not.toThrow();
  });
});
