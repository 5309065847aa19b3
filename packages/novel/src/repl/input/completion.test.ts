import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { novelsIn } from "../commands/project.ts";
import { completer } from "./completion.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lw-complete-"));
  mkdirSync(join(folder, "book", "chapter-beats"), { recursive: true });
  mkdirSync(join(folder, "plain"));
  for (const name of [
    "project.yaml",
    "chapter-beats/chapter-02.md",
    "chapter-beats/chapter-10.md",
    "chapter-beats/notes.md",
  ])
    writeFileSync(join(folder, "book", name), "");
  writeFileSync(join(folder, ".hidden"), "");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const complete = (line: string) => completer(() => join(folder, "book"))(line);

describe("Completion", () => {
  it("offers the commands that begin so", () => {
    expect(complete("/e")).toEqual([["/edit ", "/export "], "/e"]);
    expect(complete("/gen")).toEqual([["/generate "], "/gen"]);
  });

  it("offers what can follow a command", () => {
    expect(complete("/generate t")).toEqual([["treatment"], "t"]);
    expect(complete("/iterate ")[0]).toEqual(["premise", "treatment", "chapters", "prose"]);
    expect(complete("/export e")).toEqual([["epub"], "e"]);
    expect(complete("/model j")).toEqual([["judge="], "j"]);
    expect(complete("/help sta")[0]).toEqual(["status", "stats"]);
    expect(complete("/undo x")[0]).toEqual([]);
  });

  it("offers the project's files by what they are called", () => {
    expect(complete("/edit c")).toEqual([["chapter-2", "chapter-10"], "c"]);
    expect(completer(() => undefined)("/edit c")[0]).toEqual([]);
  });

  it("offers paths, hidden ones only where a point is typed", () => {
    expect(complete(`/open ${folder}/`)[0].toSorted()).toEqual([`${folder}/book/`, `${folder}/plain/`]);
    expect(complete(`/open ${folder}/.`)[0]).toEqual([`${folder}/.hidden`]);
    expect(complete(`/open ${folder}/nowhere/x`)[0]).toEqual([]);
  });

  it("leaves feedback alone", () => {
    expect(complete("Make it darker")).toEqual([[], "Make it darker"]);
    expect(complete("/nothing x")).toEqual([[], "/nothing x"]);
  });

  it("knows which folders are novels", () => {
    expect(novelsIn(folder)).toEqual(["book"]);
    expect(novelsIn(join(folder, "nowhere"))).toEqual([]);
  });
});
