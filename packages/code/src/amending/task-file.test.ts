import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { readTaskFile, writeAmendment } from "./task-file.ts";

const amendment = {
  iteration: 5,
  plan_generation: 1,
  diagnosis: "",
  addition: "x",
  confidence: "high",
  made_section: true,
};
const line = "\n## Domain Knowledge\n[Auto-DK iteration 5] x\n";
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "task-file-"));
  file = join(folder, "task.md");
  writeFileSync(file, "Do it.\n");
});

it("an amendment is written once, however often it is tried, and nothing else is left behind", async () => {
  expect(await writeAmendment(file, amendment)).toBe(`Do it.\n${line}`);
  expect(await writeAmendment(file, amendment)).toBe(`Do it.\n${line}`);
  expect(readFileSync(file, "utf8")).toBe(`Do it.\n${line}`);
  expect(readdirSync(folder)).toEqual(["task.md"]);
});

it("what a person wrote since it was read stays", async () => {
  writeFileSync(file, "Do it well.\n");
  expect(await writeAmendment(file, amendment)).toBe(`Do it well.\n${line}`);
});

it("keeps the file's mode, and follows a link to it", async () => {
  chmodSync(file, 0o600);
  const link = join(folder, "link.md");
  symlinkSync(file, link);
  await writeAmendment(link, amendment);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await readTaskFile(file)).toContain("[Auto-DK iteration 5] x");
});

it("a file that is gone is an error that says what to do", async () => {
  await expect(readTaskFile(join(folder, "none.md"))).rejects.toThrow(
    /the task file .*none\.md cannot be read: .*ENOENT/,
  );
  await expect(writeAmendment(join(folder, "none.md"), amendment)).rejects.toThrow("Put it back");
});
