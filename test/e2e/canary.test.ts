// Canaries: keys that are planted wherever a key can stand, sent to servers that echo them in every form, in answers and
// in errors. Then every byte that the program wrote or printed is searched for each of them.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findCanaries as findAll, printed, written } from "../fakes/canaries.ts";
import { type Ended, Folder, runIn } from "../fakes/cli.ts";
import { type FaultServer, type Reply, type SeenRequest, startFaultServer } from "../fakes/fault-server.ts";

const canaries = {
  key: "cnry+KEY/1=~Qz7/x",
  spareKey: "cnry-SPARE~2-Wk4+y",
  header: "cnry HEADER; 3 Vb9",
  user: "cnry-USER-4-Tg2",
  password: "cnry:PASS@5/Hn8",
  query: "cnry&QUERY=6+Jm3",
  unused: 'cnry"UNUSED\\7"Lp6',
  template: "cnry-TEMPLATE-8-Rd5",
  collector: "cnry-COLLECTOR-9-Fs1",
};

const loop = `
import { defineLoop, pass } from "loopwright";
import { z } from "zod";

export default defineLoop({
  name: "echo",
  version: 1,
  input: z.strictObject({ prompt: z.string() }),
  state: z.object({ said: z.string() }),
  initial: () => ({ said: "" }),
  start: "ask",
  iteration: "ask",
  phases: {
    ask: {
      to: [],
      run: async (_state, ctx) => {
        const prompt = ctx.input.prompt.replace("TEMPLATE", process.env.TEMPLATE_TOKEN);
        const { text } = await ctx.model("builder").call("say", { system: "You echo.", prompt });
        await ctx.save("said.txt", text);
        await ctx.tell("said", text);
        ctx.verdict(pass(1, text.slice(0, 4000)));
        return ctx.end("done", { reason: text.slice(0, 4000), patch: { said: text } });
      },
    },
  },
});
`;

/** Everything of a request that holds a key, in many forms. */
function echo({ headers, path }: SeenRequest): string {
  const parts = [headers.authorization, headers["x-gate"], path, decodeURIComponent(path)].map(String);
  const basic = /^Basic (.+)$/.exec(String(headers.authorization));
  if (basic) parts.push(Buffer.from(basic[1]!, "base64").toString());
  const forms = parts.flatMap((part) => [
    part,
    encodeURIComponent(part),
    JSON.stringify(part),
    Buffer.from(part).toString("base64"),
    Buffer.from(part).toString("base64url"),
    Buffer.from(part).toString("hex"),
  ]);
  const environment = [canaries.unused, canaries.key, canaries.password].map((secret) => `I guess ${secret} here`);
  return [...forms, ...environment].join("\n");
}

const answering = (request: SeenRequest): Reply => ({
  text: echo(request),
  reasoning: echo(request),
  model: `m ${echo(request).slice(0, 200)}`,
});
const refusing =
  (status: number) =>
  (request: SeenRequest): Reply => ({
    status,
    body: JSON.stringify({ error: { message: echo(request) } }),
    headers: { "x-echo": String(request.headers["x-gate"]) },
  });

/** Where each canary is found among named texts. */
const findCanaries = (texts: Record<string, Buffer>, searched: readonly string[] = Object.values(canaries)) =>
  findAll(texts, searched);

let first: FaultServer;
let second: FaultServer;
let folder: Folder;
const spans: string[] = [];
const collector = createServer(async (request, response) => {
  for await (const piece of request) spans.push(String(piece));
  response.end("{}");
});

beforeAll(async () => {
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
});
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

beforeEach(async () => {
  [first, second, folder] = [await startFaultServer(), await startFaultServer(), new Folder()];
  first.otherwise = answering;
  second.otherwise = answering;
  spans.length = 0;
  const userinfo = `${canaries.user}:${encodeURIComponent(canaries.password)}@`;
  const address = ({ url }: FaultServer) =>
    JSON.stringify(`${url.replace("//", `//${userinfo}`)}?api_key=${encodeURIComponent(canaries.query)}`);
  await folder.write("loops/echo.ts", loop);
  await folder.write(
    "loopwright.yaml",
    `loops: { echo: loops/echo.ts }
endpoints:
  first: { url: ${address(first)}, headers: { X-Gate: $GATE_HEADER } }
  keyed: { url: ${address(first)}, keyEnv: FIRST_API_KEY, headers: { X-Gate: $GATE_HEADER } }
  second: { url: ${address(second)}, keyEnv: SPARE_API_KEY }
  plain: { url: "${first.url}", keyEnv: FIRST_API_KEY, headers: { X-Gate: $GATE_HEADER } }
models:
  builder: { endpoint: keyed, model: fake, fallback: ["second:spare"] }
retry: { waits: [0], timeout: 5 }
`,
  );
  await folder.write(".env", `SPARE_API_KEY=${canaries.spareKey}\n`);
});
afterEach(async () => {
  folder[Symbol.dispose]();
  await Promise.all([first.close(), second.close()]);
});

const environment = () => ({
  FIRST_API_KEY: canaries.key,
  GATE_HEADER: canaries.header,
  UNUSED_PASSWORD: canaries.unused,
  TEMPLATE_TOKEN: canaries.template,
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://${canaries.collector}:x@127.0.0.1:${(collector.address() as AddressInfo).port}`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${canaries.collector}`,
  LOOPWRIGHT_DEBUG: "1",
});

/** Runs the program, and fails where anything that it wrote or printed holds a canary. */
async function runClean(words: string | readonly string[]): Promise<Ended> {
  const ended = await folder.cli(words, { env: environment() });
  expect(findCanaries({ ...printed(ended), spans: Buffer.from(spans.join("")) })).toEqual([]);
  expect(findCanaries(written(folder))).toEqual([]);
  return ended;
}

/** The words that run the loop. */
const runEcho = (flags = "", prompt = "say it") => [
  ...`run echo ${flags}`.trim().split(" "),
  "--input",
  JSON.stringify({ prompt }),
];

/** Looks at a run in every way that there is. */
async function lookAt(run: string): Promise<void> {
  for (const words of [
    "runs",
    `show ${run}`,
    `show ${run} --calls`,
    `show ${run} --call 1`,
    `show ${run} --json`,
    `explain ${run}`,
    `report ${run}`,
    `verify ${run}`,
  ])
    await runClean(words);
}

test("The search finds a canary in every form, and wherever it stands in base64.", () => {
  for (const canary of Object.values(canaries)) {
    for (const before of ["", "x", "xy", "user:"]) {
      const text = Buffer.from(`${before}${canary}z`);
      for (const form of [text.toString(), text.toString("base64"), text.toString("base64url"), text.toString("hex")])
        expect(findCanaries({ here: Buffer.from(`… ${form} …`) }, [canary]), form).not.toEqual([]);
    }
    expect(findCanaries({ here: Buffer.from(`k=${encodeURIComponent(canary)}`) }, [canary])).not.toEqual([]);
    expect(
      findCanaries({ here: Buffer.from(JSON.stringify({ a: JSON.stringify({ canary }) })) }, [canary]),
    ).not.toEqual([]);
  }
});

describe("No key is written or printed", () => {
  test("when a server echoes them in its answer, recorded and replayed", { timeout: 120_000 }, async () => {
    const recorded = await runClean(runEcho("--cassette tape.json --cassette-mode record"));
    expect(recorded.code, recorded.stderr).toBe(0);
    expect(first.requests).toHaveLength(1);
    expect(first.requests[0]!.headers.authorization).toBe(`Bearer ${canaries.key}`);
    expect(first.requests[0]!.headers["x-gate"]).toBe(canaries.header);
    expect(first.requests[0]!.path).toContain(encodeURIComponent(canaries.query));
    expect(folder.read("tape.json")).toContain("[secret]");
    const journal = Object.entries(written(folder)).filter(([name]) => name.includes("journal.db "));
    expect(journal.some(([, bytes]) => bytes.includes("[secret]"))).toBe(true);
    await lookAt(runIn(recorded));
    const replayed = await runClean(runEcho("--cassette tape.json --cassette-mode replay --json"));
    expect(replayed.code, replayed.stderr).toBe(0);
    expect(first.requests).toHaveLength(1);
    expect(spans.join("")).toContain("chat fake");
  });

  test("when a server refuses with a body that echoes them", { timeout: 120_000 }, async () => {
    first.otherwise = refusing(401);
    const refused = await runClean(runEcho());
    expect(refused.code, refused.stderr).toBe(7);
    expect(refused.stdout + refused.stderr).toContain("[secret]");
    expect(first.requests).toHaveLength(1);
    await lookAt(runIn(refused));
    await runClean(`resume ${runIn(refused)} --json`);
  });

  test("when servers break and the fallback answers, or none does", { timeout: 120_000 }, async () => {
    first.otherwise = refusing(500);
    const saved = await runClean(runEcho("--cassette tape.json"));
    expect(saved.code, saved.stderr).toBe(0);
    expect(second.requests[0]!.headers.authorization).toBe(`Bearer ${canaries.spareKey}`);
    await lookAt(runIn(saved));
    second.otherwise = refusing(503);
    const broken = await runClean(runEcho("", "other"));
    expect(broken.code, broken.stderr).toBe(7);
    await lookAt(runIn(broken));
  });

  test("when the name and password of the address are the only key", { timeout: 120_000 }, async () => {
    const ended = await runClean(runEcho("--model first:fake"));
    expect(ended.code, ended.stderr).toBe(0);
    expect(first.requests[0]!.headers.authorization).toBe(
      `Basic ${Buffer.from(`${canaries.user}:${canaries.password}`).toString("base64")}`,
    );
  });

  test("when a replay misses, or the process is killed in the middle of a call", { timeout: 120_000 }, async () => {
    await runClean(runEcho("--cassette tape.json --cassette-mode record"));
    const missed = await runClean(runEcho("--cassette tape.json --cassette-mode replay", "say more"));
    expect(missed.code, missed.stderr).toBe(7);
    expect(missed.stdout).toContain("nearest request");
    first.otherwise = (request) => ({ ...answering(request), fault: "stall" });
    const started = folder.start(runEcho("--json"), { env: environment() });
    await expect.poll(() => first.requests.length, { timeout: 20_000 }).toBe(2);
    await new Promise((done) => setTimeout(done, 300));
    started.send("SIGKILL");
    const killed = await started.ended;
    const left = written(folder);
    expect(left[".loopwright/journal.db-wal"]?.length).toBeGreaterThan(0);
    expect(findCanaries({ ...printed(killed), ...left })).toEqual([]);
  });

  test("when the models are asked what they serve", { timeout: 120_000 }, async () => {
    const asked = await runClean("doctor --models --model plain:fake");
    expect(asked.stdout).toContain("answered by");
    first.otherwise = refusing(401);
    const refused = await runClean("doctor --models --model plain:fake");
    expect(refused.stdout).toContain("[secret]");
    await runClean("doctor --models --model plain:fake --json");
    await runClean("doctor --models");
    expect(first.requests.length).toBeGreaterThanOrEqual(3);
  });
});

test("A key that a loop puts into its own prompt is neither recorded nor sent.", async () => {
  const ended = await folder.cli(runEcho("--cassette tape.json", "use TEMPLATE"), { env: environment() });
  expect(ended.code, ended.stderr).toBe(0);
  expect(first.requests[0]!.prompt).toBe("use [secret]");
  expect(folder.read("tape.json")).toContain("use [secret]");
  expect(findCanaries({ ...printed(ended), ...written(folder), spans: Buffer.from(spans.join("")) })).toEqual([]);
});
