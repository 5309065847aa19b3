import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type InfrastructureError, whileLocked } from "@loopwright/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addToCassette, type Entry, keyOf, readCassette } from "./file.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cassette-file-"));
  file = join(folder, "tape.json");
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const entry = (ordinal: string, prompt = "a\nb", text = "x\r\ny\n"): Entry => ({
  request: { ordinal, model: "m", system: "one line", prompt, maxTokens: 9 },
  answer: { text, model: "m", finishReason: "stop", firstMs: 1, ms: 2 },
});
const entriesOf = (...entries: Entry[]) => new Map(entries.map((one) => [keyOf(one.request), one]));
const failing = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => error as InfrastructureError,
  );

test("A cassette is read as it was written, to the last line break.", async () => {
  const entries = entriesOf(entry("1/a"), entry("2/a", "", "\n"), entry("3/a", "\ud83d half", "\u2028"));
  await addToCassette(file, entries);
  expect(await readCassette(file)).toEqual(entries);
});

test("It is sorted by ordinal as people count, with texts as lines, whatever the order of recording.", async () => {
  await addToCassette(file, entriesOf(entry("10/a"), entry("2/b")));
  await addToCassette(file, entriesOf(entry("2/a")));
  const written = readFileSync(file, "utf8");
  const { version, entries } = JSON.parse(written);
  expect(version).toBe(1);
  expect(entries.map(({ request }: Entry) => request.ordinal)).toEqual(["2/a", "2/b", "10/a"]);
  expect(entries[0]).toMatchObject({
    request: { system: "one line", prompt: ["a", "b"] },
    answer: { text: ["x\r", "y", ""] },
  });
  rmSync(file);
  await addToCassette(file, entriesOf(entry("2/a"), entry("10/a"), entry("2/b")));
  expect(readFileSync(file, "utf8")).toBe(written);
});

test("A request that was changed by hand counts as it stands.", async () => {
  await addToCassette(file, entriesOf(entry("1/a", "before")));
  writeFileSync(file, readFileSync(file, "utf8").replace("before", "after"));
  const wanted = entry("1/a", "after");
  expect((await readCassette(file))?.get(keyOf(wanted.request))).toEqual(wanted);
});

test("There is nothing where there is no file.", async () => {
  expect(await readCassette(file)).toBeUndefined();
});

const whole = { cassette: "loopwright", version: 1, entries: [] as unknown[] };
test.each<[string, string, string]>([
  ["empty", "", "truncated or no JSON"],
  ["truncated", '{ "cassette": "loopwright", "version": 1, "entries": [ {', "truncated or no JSON"],
  ["somebody's JSON", '{ "name": "mine" }', "some other file"],
  ["a list", "[1]", "some other file"],
  ["null", "null", "some other file"],
  ["of a later version", JSON.stringify({ ...whole, version: 2 }), "it has version 2, and this Loopwright reads 1"],
  ["without entries", JSON.stringify({ ...whole, entries: 3 }), "entries"],
  [
    "with a broken entry",
    JSON.stringify({ ...whole, entries: [{ request: { ordinal: "1" } }] }),
    "entries.0.request.model",
  ],
])("A file that is %s is refused in words, and never written over.", async (_, text, words) => {
  writeFileSync(file, text);
  for (const attempt of [readCassette(file), addToCassette(file, entriesOf(entry("1/a")))]) {
    const error = await failing(attempt);
    expect(error).toMatchObject({ name: "InfrastructureError", code: "CASSETTE_UNREADABLE" });
    expect(error.message).toContain(words);
    expect(error.message).toContain(file);
  }
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(readdirSync(folder)).toEqual(["tape.json"]);
});

test("A folder in the file's place, and one that cannot be made, fail in words.", async () => {
  mkdirSync(file);
  expect(await failing(readCassette(file))).toMatchObject({ code: "CASSETTE_UNREADABLE" });
  writeFileSync(join(folder, "plain"), "");
  const error = await failing(addToCassette(join(folder, "plain", "tape.json"), entriesOf(entry("1/a"))));
  expect(error).toMatchObject({ name: "InfrastructureError", code: "CASSETTE_UNWRITABLE" });
});

test("Processes that record at once lose nothing of each other's.", { timeout: 60_000 }, async () => {
  const program = `
    const { addToCassette, keyOf } = await import(${JSON.stringify(join(import.meta.dirname, "file.ts"))});
    for (let n = 0; n < 15; n += 1) {
      const request = { ordinal: n + "/" + process.argv[1], model: "m", prompt: "p", maxTokens: 1 };
      const answer = { text: "t", model: "m", finishReason: "stop", firstMs: 1, ms: 1 };
      await addToCassette(${JSON.stringify(file)}, new Map([[keyOf(request), { request, answer }]]));
    }`;
  const run = promisify(execFile);
  const start = (name: string) =>
    run(process.execPath, ["--conditions=loopwright-source", "--input-type=module", "-e", program, name]);
  await Promise.all(["a", "b", "c", "d"].map(start));
  expect((await readCassette(file))?.size).toBe(60);
  expect(readdirSync(folder)).toEqual(["tape.json"]);
});

test("A lock that a live process holds is waited for, then refused in words; once that is killed, it is free.", async () => {
  const lock = `${file}.lock`;
  const program = `
    import { whileLocked } from "@loopwright/core";
    setInterval(() => {}, 1000);
    await whileLocked(${JSON.stringify(lock)}, () => { console.log("held"); return new Promise(() => {}); });`;
  const holder = spawn(process.execPath, ["--conditions=loopwright-source", "--input-type=module", "-e", program]);
  await once(holder.stdout, "data");
  const error = await failing(whileLocked(lock, async () => "never", 60));
  expect(error).toMatchObject({ code: "CASSETTE_LOCKED" });
  expect(error.message).toContain(lock);
  holder.kill("SIGKILL");
  expect(await whileLocked(lock, async () => "done", 10_000)).toBe("done");
  expect(readdirSync(folder)).toEqual([]);
});

test("What is done under a lock is done by one at a time, and a failure gives the lock back.", async () => {
  const lock = `${file}.lock`;
  let inside = 0;
  let most = 0;
  const act = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((done) => setTimeout(done, 2));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, () => whileLocked(lock, act)));
  expect(most).toBe(1);
  await expect(whileLocked(lock, () => Promise.reject(new Error("broke")))).rejects.toThrow("broke");
  expect(readdirSync(folder)).toEqual([]);
});
