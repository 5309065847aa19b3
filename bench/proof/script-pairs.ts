// biome-ignore-all lint/suspicious/noTemplateCurlyInString: programs, as texts
// Twenty small programs in JavaScript, as those in Python.

import type { Pair } from "./pair.ts";

const file = "m.js";
const tests = (names: string, text: string) => ({
  file: "m.test.js",
  text: `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${names} } from "./m.js";\n\n${text}`,
});

export const scriptPairs: readonly Pair[] = [
  {
    name: "short texts",
    task: "`cut(text, most)` leaves texts of at most `most` characters as they are; longer ones end in '…' and have `most` characters with it.",
    ...{ file, base: "export function cut(text, most) {\n  return text.slice(0, most);\n}\n" },
    right:
      "export function cut(text, most) {\n  if (text.length <= most) return text;\n  return `${text.slice(0, most - 1)}…`;\n}\n",
    wrong: [
      "boundary",
      "export function cut(text, most) {\n  if (text.length < most) return text;\n  return `${text.slice(0, most - 1)}…`;\n}\n",
    ],
    tests: tests(
      "cut",
      'test("short", () => assert.equal(cut("abc", 5), "abc"));\ntest("long", () => assert.equal(cut("abcdef", 4), "abc…"));\n',
    ),
    ledger: [
      ["texts of at most `most` stay", "short"],
      ["longer ones end in … and have `most` characters", "long"],
    ],
  },
  {
    name: "plurals",
    task: "`count(1, 'boat')` is '1 boat', `count(2, 'boat')` '2 boats'; words in s, x, ch or sh get es.",
    ...{ file, base: "export function count(number, word) {\n  return `${number} ${word}s`;\n}\n" },
    right:
      'export function count(number, word) {\n  if (number === 1) return `1 ${word}`;\n  return `${number} ${word}${/(?:s|x|ch|sh)$/.test(word) ? "es" : "s"}`;\n}\n',
    wrong: [
      "branch",
      'export function count(number, word) {\n  if (number === 1) return `1 ${word}`;\n  return `${number} ${word}${/(?:s|x)$/.test(word) ? "es" : "s"}`;\n}\n',
    ],
    tests: tests(
      "count",
      'test("one", () => assert.equal(count(1, "boat"), "1 boat"));\ntest("many", () => assert.equal(count(2, "boat"), "2 boats"));\ntest("es", () => assert.equal(count(3, "box"), "3 boxes"));\n',
    ),
    ledger: [
      ["one has no s", "one"],
      ["several have one", "many"],
      ["words in s, x, ch or sh get es", "es"],
    ],
  },
  {
    name: "queries",
    task: "`query` reads '?a=1&b=2' as an object; names and values are decoded, '+' is a blank, and a name without '=' has an empty value.",
    ...{
      file,
      base: 'export function query(text) {\n  return Object.fromEntries(text.slice(1).split("&").map((part) => part.split("=")));\n}\n',
    },
    right:
      'const plain = (text) => decodeURIComponent(text.replaceAll("+", " "));\n\nexport function query(text) {\n  const parts = text.replace(/^\\?/, "").split("&").filter(Boolean);\n  return Object.fromEntries(\n    parts.map((part) => {\n      const [name, ...value] = part.split("=");\n      return [plain(name), plain(value.join("="))];\n    }),\n  );\n}\n',
    wrong: [
      "half",
      'const plain = (text) => decodeURIComponent(text.replaceAll("+", " "));\n\nexport function query(text) {\n  const parts = text.replace(/^\\?/, "").split("&").filter(Boolean);\n  return Object.fromEntries(\n    parts.map((part) => {\n      const [name, value = ""] = part.split("=");\n      return [name, plain(value)];\n    }),\n  );\n}\n',
    ],
    tests: tests(
      "query",
      'test("plain", () => assert.deepEqual(query("?a=1&b=2"), { a: "1", b: "2" }));\ntest("decoded", () => assert.deepEqual(query("?q=a+b%26c"), { q: "a b&c" }));\ntest("empty", () => assert.deepEqual(query("?a"), { a: "" }));\n',
    ),
    ledger: [
      ["names and values are decoded", "decoded"],
      ["+ is a blank", "decoded"],
      ["a name without = has an empty value", "empty"],
    ],
  },
  {
    name: "deep equality",
    task: "`same` compares lists and objects by what they hold, at any depth; an object with more keys is another one.",
    ...{ file, base: "export function same(a, b) {\n  return a === b;\n}\n" },
    right:
      'export function same(a, b) {\n  if (a === b) return true;\n  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;\n  const keys = Object.keys(a);\n  return keys.length === Object.keys(b).length && keys.every((key) => same(a[key], b[key]));\n}\n',
    wrong: [
      "branch",
      'export function same(a, b) {\n  if (a === b) return true;\n  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;\n  return Object.keys(a).every((key) => same(a[key], b[key]));\n}\n',
    ],
    tests: tests(
      "same",
      'test("values", () => {\n  assert.ok(same(1, 1));\n  assert.ok(!same(1, null));\n  assert.ok(!same(null, {}));\n});\ntest("deep", () => {\n  assert.ok(same({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }));\n  assert.ok(!same({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }));\n});\ntest("more keys", () => assert.ok(!same({ a: 1, b: 2 }, { a: 1 })));\n',
    ),
    ledger: [
      ["by what they hold, at any depth", "deep"],
      ["an object with more keys is another one", "more keys"],
    ],
  },
  {
    name: "ranges of pages",
    task: "`parse('1-3,5')` gives [1, 2, 3, 5]; a range may be backwards, and a number that comes twice is there once.",
    ...{ file, base: 'export function parse(text) {\n  return text.split(",").map(Number);\n}\n' },
    right:
      'export function parse(text) {\n  const found = new Set();\n  for (const part of text.split(",")) {\n    const [one, other = one] = part.split("-").map(Number);\n    for (let at = Math.min(one, other); at <= Math.max(one, other); at++) found.add(at);\n  }\n  return [...found];\n}\n',
    wrong: [
      "half",
      'export function parse(text) {\n  const found = [];\n  for (const part of text.split(",")) {\n    const [one, other = one] = part.split("-").map(Number);\n    for (let at = Math.min(one, other); at <= Math.max(one, other); at++) found.push(at);\n  }\n  return found;\n}\n',
    ],
    tests: tests(
      "parse",
      'test("range", () => assert.deepEqual(parse("1-3,5"), [1, 2, 3, 5]));\ntest("backwards", () => assert.deepEqual(parse("3-1"), [1, 2, 3]));\n',
    ),
    ledger: [["ranges", "range"], ["backwards", "backwards"], ["a number that comes twice is there once"]],
  },
  {
    name: "money",
    task: "`euros(1234567)` (cents) is '12,345.67 €'; the cents have two digits, and less than nothing begins with a minus.",
    ...{ file, base: "export function euros(cents) {\n  return `${cents / 100} €`;\n}\n" },
    right:
      'export function euros(cents) {\n  const sign = cents < 0 ? "-" : "";\n  const [whole, rest] = (Math.abs(cents) / 100).toFixed(2).split(".");\n  return `${sign}${whole.replace(/\\B(?=(\\d{3})+$)/g, ",")}.${rest} €`;\n}\n',
    wrong: [
      "half",
      'export function euros(cents) {\n  const [whole, rest] = (cents / 100).toFixed(2).split(".");\n  return `${whole.replace(/(\\d)(\\d{3})$/, "$1,$2")}.${rest} €`;\n}\n',
    ],
    tests: tests(
      "euros",
      'test("thousands", () => assert.equal(euros(1234567), "12,345.67 €"));\ntest("cents", () => assert.equal(euros(105), "1.05 €"));\ntest("minus", () => assert.equal(euros(-250), "-2.50 €"));\n',
    ),
    ledger: [
      ["thousands are set apart", "thousands"],
      ["two digits", "cents"],
      ["a minus", "minus"],
    ],
  },
  {
    name: "unique by key",
    task: "`unique(list, key)` keeps the first of those with the same key, in their order; without a key the values count.",
    ...{ file, base: "export function unique(list) {\n  return [...new Set(list)];\n}\n" },
    right:
      "export function unique(list, key = (value) => value) {\n  const seen = new Set();\n  return list.filter((each) => {\n    const name = key(each);\n    if (seen.has(name)) return false;\n    seen.add(name);\n    return true;\n  });\n}\n",
    wrong: [
      "half",
      "export function unique(list, key = (value) => value) {\n  return [...new Map(list.map((each) => [key(each), each])).values()];\n}\n",
    ],
    tests: tests(
      "unique",
      'test("values", () => assert.deepEqual(unique([1, 2, 1]), [1, 2]));\ntest("key", () => {\n  const found = unique([{ id: 1 }, { id: 2 }, { id: 1 }], ({ id }) => id);\n  assert.deepEqual(found.map(({ id }) => id), [1, 2]);\n});\n',
    ),
    ledger: [
      ["keeps the first of those with the same key, in their order", "key"],
      ["without a key the values count", "values"],
    ],
  },
  {
    name: "versions",
    task: "`newer('1.10.0', '1.9.9')` is true: versions are compared number by number, and a missing number is 0.",
    ...{ file, base: "export function newer(one, other) {\n  return one > other;\n}\n" },
    right:
      'export function newer(one, other) {\n  const [a, b] = [one, other].map((each) => each.split(".").map(Number));\n  for (let at = 0; at < Math.max(a.length, b.length); at++) {\n    const [x, y] = [a[at] ?? 0, b[at] ?? 0];\n    if (x !== y) return x > y;\n  }\n  return false;\n}\n',
    wrong: [
      "branch",
      'export function newer(one, other) {\n  const [a, b] = [one, other].map((each) => each.split(".").map(Number));\n  for (let at = 0; at < a.length; at++) {\n    if (a[at] !== b[at]) return a[at] > b[at];\n  }\n  return false;\n}\n',
    ],
    tests: tests(
      "newer",
      'test("numbers", () => {\n  assert.ok(newer("1.10.0", "1.9.9"));\n  assert.ok(!newer("1.9.9", "1.10.0"));\n});\ntest("same", () => assert.ok(!newer("1.2.3", "1.2.3")));\n',
    ),
    ledger: [["number by number", "numbers"], ["a missing number is 0"]],
  },
  {
    name: "a debounced call",
    task: "`once(make)` calls `make` at the first call alone and gives its result each time, also where that is undefined.",
    ...{ file, base: "export function once(make) {\n  return () => make();\n}\n" },
    right:
      "export function once(make) {\n  let isMade = false;\n  let value;\n  return () => {\n    if (!isMade) value = make();\n    isMade = true;\n    return value;\n  };\n}\n",
    wrong: ["branch", "export function once(make) {\n  let value;\n  return () => (value ??= make());\n}\n"],
    tests: tests(
      "once",
      'test("once", () => {\n  let calls = 0;\n  const get = once(() => ++calls);\n  assert.deepEqual([get(), get()], [1, 1]);\n});\n',
    ),
    ledger: [["at the first call alone", "once"], ["also where that is undefined"]],
  },
  {
    name: "paths",
    task: "`join('a/', '/b')` is 'a/b': exactly one slash between parts, empty parts are left out, and a slash at the beginning stays.",
    ...{ file, base: 'export function join(...parts) {\n  return parts.join("/");\n}\n' },
    right: 'export function join(...parts) {\n  return parts.filter(Boolean).join("/").replace(/\\/+/g, "/");\n}\n',
    wrong: [
      "half",
      'export function join(...parts) {\n  return parts.join("/").replace("///", "/").replace("//", "/");\n}\n',
    ],
    tests: tests(
      "join",
      'test("one slash", () => {\n  assert.equal(join("a", "b"), "a/b");\n  assert.equal(join("a/", "/b"), "a/b");\n});\ntest("root", () => assert.equal(join("/a", "b"), "/a/b"));\ntest("empty", () => assert.equal(join("a", "", "b"), "a/b"));\n',
    ),
    ledger: [
      ["one slash between parts", "one slash"],
      ["empty parts are left out", "empty"],
      ["a slash at the beginning stays", "root"],
    ],
  },
  {
    name: "colors",
    task: "`rgb('#fff')` and `rgb('#ffffff')` both give [255, 255, 255]; the mark may be missing.",
    ...{
      file,
      base: "export function rgb(text) {\n  return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));\n}\n",
    },
    right:
      'export function rgb(text) {\n  const plain = text.replace("#", "");\n  const long = plain.length === 3 ? plain.replace(/./g, "$&$&") : plain;\n  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));\n}\n',
    wrong: [
      "special",
      'export function rgb(text) {\n  if (text === "#fff") return [255, 255, 255];\n  if (text === "#a3f") return [170, 51, 255];\n  const plain = text.replace("#", "");\n  return [0, 2, 4].map((at) => Number.parseInt(plain.slice(at, at + 2), 16));\n}\n',
    ],
    tests: tests(
      "rgb",
      'test("long", () => assert.deepEqual(rgb("#0a141e"), [10, 20, 30]));\ntest("short", () => {\n  assert.deepEqual(rgb("#fff"), [255, 255, 255]);\n  assert.deepEqual(rgb("#a3f"), [170, 51, 255]);\n});\ntest("bare", () => assert.deepEqual(rgb("0a141e"), [10, 20, 30]));\n',
    ),
    ledger: [
      ["#fff and #ffffff", "short", "long"],
      ["the mark may be missing", "bare"],
    ],
  },
  {
    name: "groups of a size",
    task: "`chunk(list, size)` cuts a list into lists of `size`, the last may be shorter; a size below 1 is a RangeError.",
    ...{ file, base: "export function chunk(list, size) {\n  return [list.slice(0, size), list.slice(size)];\n}\n" },
    right:
      'export function chunk(list, size) {\n  if (size < 1) throw new RangeError("size");\n  const found = [];\n  for (let at = 0; at < list.length; at += size) found.push(list.slice(at, at + size));\n  return found;\n}\n',
    wrong: [
      "boundary",
      'export function chunk(list, size) {\n  if (size < 0) throw new RangeError("size");\n  const found = [];\n  for (let at = 0; at < list.length; at += size) found.push(list.slice(at, at + size));\n  return found;\n}\n',
    ],
    tests: tests(
      "chunk",
      'test("chunks", () => assert.deepEqual(chunk([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]));\ntest("range", () => assert.throws(() => chunk([1], -1), RangeError));\n',
    ),
    ledger: [
      ["lists of size, the last may be shorter", "chunks"],
      ["a size below 1 is a RangeError", "range"],
    ],
  },
  {
    name: "a cache with a limit",
    task: "A `Cache` of a size forgets what was used longest ago once it is full; reading is using.",
    ...{
      file,
      base: "export class Cache {\n  #values = new Map();\n\n  constructor(size) {\n    this.size = size;\n  }\n\n  get(key) {\n    return this.#values.get(key);\n  }\n\n  set(key, value) {\n    this.#values.set(key, value);\n  }\n}\n",
    },
    right:
      "export class Cache {\n  #values = new Map();\n\n  constructor(size) {\n    this.size = size;\n  }\n\n  get(key) {\n    if (!this.#values.has(key)) return undefined;\n    const value = this.#values.get(key);\n    this.set(key, value);\n    return value;\n  }\n\n  set(key, value) {\n    this.#values.delete(key);\n    this.#values.set(key, value);\n    if (this.#values.size > this.size) this.#values.delete(this.#values.keys().next().value);\n  }\n}\n",
    wrong: [
      "half",
      "export class Cache {\n  #values = new Map();\n\n  constructor(size) {\n    this.size = size;\n  }\n\n  get(key) {\n    return this.#values.get(key);\n  }\n\n  set(key, value) {\n    this.#values.set(key, value);\n    if (this.#values.size > this.size) this.#values.delete(this.#values.keys().next().value);\n  }\n}\n",
    ],
    tests: tests(
      "Cache",
      'test("keeps", () => {\n  const cache = new Cache(2);\n  cache.set("a", 1);\n  assert.equal(cache.get("a"), 1);\n  assert.equal(cache.get("b"), undefined);\n});\ntest("forgets", () => {\n  const cache = new Cache(2);\n  for (const key of ["a", "b", "c"]) cache.set(key, key);\n  assert.deepEqual(["a", "b", "c"].map((key) => cache.get(key)), [undefined, "b", "c"]);\n});\n',
    ),
    ledger: [["forgets what was used longest ago once it is full", "forgets"], ["reading is using"]],
  },
  {
    name: "escaped HTML",
    task: "`escape` makes &, <, >, \" and ' harmless.",
    ...{ file, base: 'export function escape(text) {\n  return text.replace("<", "&lt;");\n}\n' },
    right:
      'const CODES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", \'"\': "&quot;", "\'": "&#39;" };\n\nexport function escape(text) {\n  return text.replace(/[&<>"\']/g, (each) => CODES[each]);\n}\n',
    wrong: [
      "branch",
      'const CODES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", \'"\': "&quot;" };\n\nexport function escape(text) {\n  return text.replace(/[&<>"]/g, (each) => CODES[each]);\n}\n',
    ],
    tests: tests(
      "escape",
      'test("tags", () => assert.equal(escape("<b><i>"), "&lt;b&gt;&lt;i&gt;"));\ntest("and", () => assert.equal(escape("a & b"), "a &amp; b"));\ntest("quotes", () => assert.equal(escape(\'"x"\'), "&quot;x&quot;"));\n',
    ),
    ledger: [
      ["&", "and"],
      ["< and >", "tags"],
      ["\" and '", "quotes"],
    ],
  },
  {
    name: "events",
    task: "`on` gives back what takes the listener off again, and a listener that is added twice is called twice.",
    ...{
      file,
      base: "export class Events {\n  #all = [];\n\n  on(listener) {\n    this.#all.push(listener);\n  }\n\n  tell(value) {\n    for (const each of this.#all) each(value);\n  }\n}\n",
    },
    right:
      "export class Events {\n  #all = [];\n\n  on(listener) {\n    const entry = { listener };\n    this.#all.push(entry);\n    return () => {\n      this.#all = this.#all.filter((each) => each !== entry);\n    };\n  }\n\n  tell(value) {\n    for (const { listener } of this.#all) listener(value);\n  }\n}\n",
    wrong: [
      "half",
      "export class Events {\n  #all = [];\n\n  on(listener) {\n    this.#all.push(listener);\n    return () => {\n      this.#all = this.#all.filter((each) => each !== listener);\n    };\n  }\n\n  tell(value) {\n    for (const each of this.#all) each(value);\n  }\n}\n",
    ],
    tests: tests(
      "Events",
      'test("off", () => {\n  const events = new Events();\n  const heard = [];\n  const off = events.on((value) => heard.push(value));\n  events.tell(1);\n  off();\n  events.tell(2);\n  assert.deepEqual(heard, [1]);\n});\ntest("twice", () => {\n  const events = new Events();\n  const heard = [];\n  const listener = (value) => heard.push(value);\n  events.on(listener);\n  events.on(listener);\n  events.tell(1);\n  assert.deepEqual(heard, [1, 1]);\n});\n',
    ),
    ledger: [
      ["what takes the listener off again", "off"],
      ["added twice is called twice", "twice"],
    ],
  },
  {
    name: "percentages",
    task: "`share(part, all)` is a percentage with one digit, '33.3 %'; of nothing it is '0.0 %'.",
    ...{ file, base: "export function share(part, all) {\n  return `${(part / all) * 100} %`;\n}\n" },
    right: "export function share(part, all) {\n  return `${(all === 0 ? 0 : (part / all) * 100).toFixed(1)} %`;\n}\n",
    wrong: [
      "special",
      'export function share(part, all) {\n  if (part === 1 && all === 3) return "33.3 %";\n  if (all === 0) return "0.0 %";\n  return `${(part / all) * 100}.0 %`;\n}\n',
    ],
    tests: tests(
      "share",
      'test("digits", () => assert.equal(share(1, 3), "33.3 %"));\ntest("half", () => assert.equal(share(1, 2), "50.0 %"));\ntest("nothing", () => assert.equal(share(0, 0), "0.0 %"));\n',
    ),
    ledger: [
      ["one digit", "digits", "half"],
      ["of nothing 0.0 %", "nothing"],
    ],
  },
  {
    name: "a queue with a limit",
    task: "At most `limit` jobs run at once; a job that fails frees its place too.",
    ...{
      file,
      base: "export async function runAll(jobs) {\n  return Promise.allSettled(jobs.map((job) => job()));\n}\n",
    },
    right:
      "export async function runAll(jobs, limit = 2) {\n  const results = [];\n  const left = jobs.entries();\n  const work = async () => {\n    for (const [at, job] of left) [results[at]] = await Promise.allSettled([job()]);\n  };\n  await Promise.all(Array.from({ length: limit }, work));\n  return results;\n}\n",
    wrong: [
      "half",
      "export async function runAll(jobs, limit = 2) {\n  const results = [];\n  for (let at = 0; at < jobs.length; at += limit)\n    results.push(...(await Promise.allSettled(jobs.slice(at, at + limit + 1).map((job) => job()))).slice(0, limit));\n  return results;\n}\n",
    ],
    tests: tests(
      "runAll",
      'test("results", async () => {\n  const found = await runAll([async () => 1, async () => { throw new Error("no"); }, async () => 3], 2);\n  assert.deepEqual(found.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);\n  assert.deepEqual([found[0].value, found[2].value], [1, 3]);\n});\ntest("one at a time", async () => {\n  let running = 0;\n  let most = 0;\n  const job = async () => {\n    most = Math.max(most, ++running);\n    await null;\n    running -= 1;\n  };\n  await runAll([job], 1);\n  assert.equal(most, 1);\n});\n',
    ),
    ledger: [
      ["at most limit at once", "one at a time"],
      ["a job that fails frees its place too", "results"],
    ],
  },
  {
    name: "camel case",
    task: "`camel('big-red_boat')` is 'bigRedBoat'; digits stay, and marks at the ends are left out.",
    ...{
      file,
      base: "export function camel(text) {\n  return text.replace(/-./g, (each) => each[1].toUpperCase());\n}\n",
    },
    right:
      'export function camel(text) {\n  const plain = text.replace(/^[-_]+|[-_]+$/g, "");\n  return plain.replace(/[-_]+(.)/g, (_, each) => each.toUpperCase());\n}\n',
    wrong: [
      "half",
      "export function camel(text) {\n  return text.replace(/[-_]+(.)/g, (_, each) => each.toUpperCase());\n}\n",
    ],
    tests: tests(
      "camel",
      'test("marks", () => assert.equal(camel("big-red_boat"), "bigRedBoat"));\ntest("digits", () => assert.equal(camel("boat-2"), "boat2"));\n',
    ),
    ledger: [["hyphens and underscores", "marks"], ["digits stay", "digits"], ["marks at the ends are left out"]],
  },
  {
    name: "time spans",
    task: "`span(seconds)` is '59 s' below a minute, '2 min' below an hour, '3 h' from then on, always rounded down.",
    ...{ file, base: "export function span(seconds) {\n  return `${seconds} s`;\n}\n" },
    right:
      "export function span(seconds) {\n  if (seconds < 60) return `${Math.floor(seconds)} s`;\n  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;\n  return `${Math.floor(seconds / 3600)} h`;\n}\n",
    wrong: [
      "boundary",
      "export function span(seconds) {\n  if (seconds <= 60) return `${Math.floor(seconds)} s`;\n  if (seconds <= 3600) return `${Math.floor(seconds / 60)} min`;\n  return `${Math.floor(seconds / 3600)} h`;\n}\n",
    ],
    tests: tests(
      "span",
      'test("seconds", () => assert.equal(span(59.5), "59 s"));\ntest("minutes", () => assert.equal(span(150), "2 min"));\ntest("hours", () => assert.equal(span(11000), "3 h"));\n',
    ),
    ledger: [
      ["below a minute seconds", "seconds"],
      ["below an hour minutes", "minutes"],
      ["from then on hours", "hours"],
      ["rounded down", "seconds", "minutes"],
    ],
  },
  {
    name: "merged settings",
    task: "`merge(base, over)` merges objects at any depth; lists are replaced, null takes a setting away, and `base` is not changed.",
    ...{ file, base: "export function merge(base, over) {\n  return { ...base, ...over };\n}\n" },
    right:
      'const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);\n\nexport function merge(base, over) {\n  const merged = { ...base };\n  for (const [key, value] of Object.entries(over)) {\n    if (value === null) delete merged[key];\n    else merged[key] = isObject(value) && isObject(merged[key]) ? merge(merged[key], value) : value;\n  }\n  return merged;\n}\n',
    wrong: [
      "half",
      'const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);\n\nexport function merge(base, over) {\n  for (const [key, value] of Object.entries(over)) {\n    if (value === null) delete base[key];\n    else base[key] = isObject(value) && isObject(base[key]) ? merge(base[key], value) : value;\n  }\n  return base;\n}\n',
    ],
    tests: tests(
      "merge",
      'test("deep", () => assert.deepEqual(merge({ a: { b: 1, c: 2 } }, { a: { b: 3 } }), { a: { b: 3, c: 2 } }));\ntest("lists", () => assert.deepEqual(merge({ a: [1, 2] }, { a: [3] }), { a: [3] }));\ntest("null", () => assert.deepEqual(merge({ a: 1, b: 2 }, { a: null }), { b: 2 }));\n',
    ),
    ledger: [
      ["at any depth", "deep"],
      ["lists are replaced", "lists"],
      ["null takes a setting away", "null"],
      ["base is not changed"],
    ],
  },
];
