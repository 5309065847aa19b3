import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { historyEntry, sampleProject, writeFiles } from "../../../../../test/fixtures/novel/manuscript.ts";
import { openManuscript } from "../files/open.ts";
import { historyChange, historyText, readHistory } from "./history.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => historyEntry(index + 1));

describe("a level's history", () => {
  it("is newest first in the file, oldest first for readers, and the file has no commit", async () => {
    const folder = sampleProject();
    const file = historyChange("chapters", many(2), historyEntry(3, { commit_sha: "abc" }));
    writeFiles(folder, [file]);
    expect(file.path).toBe("chapter-beats/iteration_history.json");
    const { iterations } = JSON.parse(file.content);
    expect(iterations.map(({ iteration_id }: { iteration_id: string }) => iteration_id)).toEqual([
      "iteration-3",
      "iteration-2",
      "iteration-1",
    ]);
    expect(file.content).not.toContain("commit_sha");
    const manuscript = await openManuscript(folder);
    expect((await manuscript.history("chapters")).map(({ iteration_id }) => iteration_id)).toEqual([
      "iteration-1",
      "iteration-2",
      "iteration-3",
    ]);
    expect(manuscript.hasHistory("chapters")).toBe(true);
    expect(manuscript.hasHistory("prose")).toBe(false);
    expect(await manuscript.history("prose")).toEqual([]);
  });

  it("has its commits filled in from git by the iteration's id", async () => {
    const folder = sampleProject();
    writeFiles(folder, [historyChange("prose", many(1), historyEntry(2))]);
    const entries = await readHistory(folder, "prose", new Map([["iteration-2", "f00d"]]));
    expect(entries.map(({ commit_sha }) => commit_sha)).toEqual([undefined, "f00d"]);
  });

  it("holds an iteration once, however often it is put there", () => {
    const once = historyChange("prose", many(2), historyEntry(3));
    expect(historyChange("prose", many(3), historyEntry(3))).toEqual(once);
  });

  it("reads the entries of another program, which have no id", async () => {
    const folder = sampleProject();
    const { iteration_id: _, ...entry } = historyEntry(1, { commit_sha: "abc123f" });
    const { commit_sha: __, ...bare } = entry;
    const content = JSON.stringify({ iterations: [entry, bare] });
    writeFiles(folder, [{ path: "premise/iteration_history.json", content }]);
    const entries = await readHistory(folder, "premise");
    expect(entries.map(({ iteration_id }) => iteration_id)).toEqual([`${entry.timestamp}#1`, "abc123f"]);
  });

  it("keeps what it does not know of an entry", async () => {
    const folder = sampleProject();
    const content = JSON.stringify({ iterations: [{ ...historyEntry(1), mood: "good" }] });
    writeFiles(folder, [{ path: "premise/iteration_history.json", content }]);
    const file = historyChange("premise", await readHistory(folder, "premise"), historyEntry(2));
    expect(file.content).toContain('"mood": "good"');
  });

  it.each([
    [
      '{\n "iterations": [\n  {"timestamp": "x",}\n ]\n}\n',
      ":3: this is not JSON: Expected double-quoted property name",
    ],
    ['{\n "iterations": [\n', ":3: this is not JSON: Unexpected end of JSON input"],
    ["", ":1: this is not JSON: Unexpected end of JSON input"],
    ["<<<<<<< HEAD\n{}\n", ":1: this is not JSON: Unexpected token '<'"],
    ['{\n "iterations": [\n  {\n   "timestamp": 5\n  }\n ]\n}\n', ":4: iterations.0.timestamp: "],
    ["[]", ":1: the file: "],
  ])("stops at a file that does not parse, with path and line, and leaves it: %j", async (content, message) => {
    const folder = sampleProject();
    writeFiles(folder, [{ path: "treatment/iteration_history.json", content }]);
    const path = join(folder, "treatment/iteration_history.json");
    const manuscript = await openManuscript(folder);
    const error = await manuscript.history("treatment").then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ name: "UsageError", code: "NOVEL_FILE_INVALID" });
    expect(error!.message).toContain(`${path}${message}`);
    expect(readFileSync(path, "utf8")).toBe(content);
  });
});

describe("a history as text for a prompt", () => {
  it("tells feedback and what changed, oldest first", () => {
    const overruled = historyEntry(2, { accepted_by: "user", judge_verdict: "needs_revision", feedback: "a\nb" });
    expect(historyText([historyEntry(1), overruled])).toBe(
      [
        "1. Feedback: Make chapter 1 darker",
        "   Changed: Chapter 1 is darker now. Its neighbors follow.",
        "2. Feedback: a",
        "   b",
        "   Changed: Chapter 2 is darker now. Its neighbors follow.",
        "   The author took it although the judge had not approved.",
      ].join("\n"),
    );
    expect(historyText([])).toBe("");
  });

  it("tells up to 50 in full", () => {
    expect(historyText(many(50)).match(/Changed: /g)).toHaveLength(50);
  });

  it("condenses older ones past 50: the newest in full, then a line each", () => {
    const text = historyText(many(60));
    expect(text.match(/Changed: /g)).toHaveLength(30);
    expect(text.split("\n")[0]).toBe("1. Make chapter 1 darker → Chapter 1 is darker now.");
    expect(text).toContain("31. Feedback: Make chapter 31 darker");
  });

  it("tells the oldest of very many as figures, and stays short", () => {
    const text = historyText(many(1_000));
    expect(text.split("\n")[0]).toBe("The first 870 iterations (2025-01-01 to 2025-02-06) are left out here.");
    expect(text.length).toBeLessThan(20_000);
    expect(historyText(many(1_000))).toBe(text);
  });
});
