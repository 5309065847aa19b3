// What the warm worker for node --test does in a thread of its own for each version: Node's own test API, told to run some
// tests of one file, and every result told as it comes. It is silent, has the stripped sources that the worker has, and the
// assertions that nobody changes.

const { parentPort, workerData } = require("node:worker_threads");
const { registerHooks, syncBuiltinESMExports } = require("node:module");
const assert = require("node:assert");
const { file, path, sources, patterns, skip, learns, entry, isHeld } = workerData;
const say = parentPort.postMessage.bind(parentPort);

process.argv = [process.argv[0], file];
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (_chunk, encoding, done) => {
    const told = typeof encoding === "function" ? encoding : done;
    if (told) process.nextTick(told);
    return true;
  };
}
for (const each of [assert, assert.strict]) Object.freeze(each);
syncBuiltinESMExports();
registerHooks({
  load(url, context, next) {
    const known = sources[url];
    if (known?.fault) throw new SyntaxError(known.fault);
    if (known) return { format: known.format, source: known.source, shortCircuit: true };
    const loaded = next(url, context);
    if (learns && url.startsWith("file:")) say(["module", url, loaded.format]);
    return loaded;
  },
});

// The thread is ended from outside: one that ends by itself was left by the program that it tries.
setInterval(() => {}, 2 ** 30);

function begin() {
  const { run } = require("node:test");
  const options = { files: [entry], isolation: "none", concurrency: 1 };
  if (patterns) options.testNamePatterns = patterns.map((text) => new RegExp(text));
  if (skip?.length) options.testSkipPatterns = skip.map((text) => new RegExp(text));
  const tests = run(options);
  const counts = new Map();
  const begun = [];
  const open = [];
  const nameOf = (chain) => [path, ...chain.map(({ name }) => name)].join(" > ");
  const numbered = (base) => {
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    return count > 1 ? `${base} (${count})` : base;
  };
  tests.on("test:enqueue", ({ nesting }) => {
    if (nesting === 0) say(["queued"]);
  });
  tests.on("test:dequeue", ({ nesting, name }) => {
    begun.length = nesting;
    begun.push({ name });
    const base = nameOf(begun);
    const count = (counts.get(base) ?? 0) + 1;
    say(["start", count > 1 ? `${base} (${count})` : base]);
  });
  tests.on("test:start", ({ nesting, name }) => {
    open.length = nesting;
    if (nesting > 0) open[nesting - 1].hasChildren = true;
    open.push({ name, hasChildren: false });
  });
  const end =
    (state) =>
    ({ nesting, details, skip, todo }) => {
      open.length = nesting + 1;
      if (open[nesting].hasChildren) say(["group", nameOf(open), details?.type]);
      else {
        const isExpected = todo !== undefined && todo !== false;
        const isSkipped = state === "passed" && skip !== undefined && skip !== false;
        const settled = isExpected ? "xfailed" : isSkipped ? "skipped" : state;
        say(["end", numbered(nameOf(open)), settled, details?.duration_ms ?? 0, open.map(({ name }) => name)]);
      }
      if (nesting === 0) say(["reported"]);
    };
  tests.on("test:pass", end("passed"));
  tests.on("test:fail", end("failed"));
  tests.resume();
}

if (isHeld) {
  parentPort.once("message", begin);
  say(["held"]);
} else begin();
