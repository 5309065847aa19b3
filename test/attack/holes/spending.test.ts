// What was spent counts, whatever broke, with the real binary: a loop of the user's own with children that throw, charges that
// are no numbers and ids that collide; streams that break, answers that are lost, runs that are killed and interrupted.

import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { Folder, fixtureProject, runIn } from "../../fakes/cli.ts";
import { type Reply, startFaultServer } from "../../fakes/fault-server.ts";

const loop = `
import { createHash } from "node:crypto";
import { defineLoop, pass } from "loopwright";
import { z } from "zod";

const frame = { version: 1, input: z.any(), state: z.object({}), initial: () => ({}), start: "go", iteration: "go" };
const charge = (ctx, key, usage, more = {}) => ctx.effect(key, { ...more, run: (effect) => effect.charge(usage) });

const child = defineLoop({ ...frame, name: "child", phases: { go: { to: [], run: async (_, ctx) => {
  await charge(ctx, "work", { tokens: 40, usd: 0.4 });
  if (ctx.input === "throws") throw new Error("the child has a bug");
  if (ctx.input === "hangs") await ctx.effect("hang", { estimate: { tokens: 25, usd: 0.25 }, run: ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))) });
  ctx.verdict(pass(1, "good"));
  return ctx.end("done", { reason: ctx.input });
} } } });

const hash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 6);
const odd = { nan: NaN, infinite: Infinity, negative: -1000, text: "7" };

export default defineLoop({ ...frame, name: "spend", phases: { go: { to: [], spawns: ["child"], run: async (_, ctx) => {
  if (ctx.input === "odd")
    for (const [key, tokens] of Object.entries(odd)) await charge(ctx, key, { tokens, usd: tokens }, { estimate: { tokens: 30, usd: 0.3 } }).catch(() => {});
  const keys = ctx.input === "ids" ? ["a b", "a-b-" + hash("a b")] : ["one"];
  const seen = [];
  if (ctx.input !== "odd")
    for (const key of keys) seen.push(await ctx.spawn(key, child, ctx.input === "ids" ? key : ctx.input).then(({ reason }) => reason, () => "thrown"));
  ctx.verdict(pass(1, JSON.stringify(seen)));
  return ctx.end("done", { reason: JSON.stringify(seen) });
} } } });
`;

async function project(): Promise<Folder> {
  const at = new Folder();
  await at.write("loops/spend.ts", loop);
  await at.write("loopwright.yaml", "loops: { spend: loops/spend.ts }\n");
  return at;
}

interface Shown {
  run: string;
  parent?: string;
  tokens: number;
  usd: number;
  status: string;
}

/** What the runs of a folder were charged with, the first one's first. */
async function charged(at: Folder): Promise<Shown[]> {
  const { runs } = (await at.document("runs --all")) as unknown as { runs: Shown[] };
  return runs.toSorted((one, other) => one.run.length - other.run.length);
}

describe("a run with children", { timeout: 120_000 }, () => {
  it("is charged with what a child spent that threw", async () => {
    using at = await project();
    await at.cli(["run", "spend", "--input", '"throws"']);
    expect((await charged(at))[0]).toMatchObject({ tokens: 40, usd: 0.4 });
  });

  it.each(["SIGINT", "SIGKILL"] as const)("is charged with what a child spent that got %s", async (signal) => {
    using at = await project();
    const started = at.start(["run", "spend", "--input", '"hangs"', "--json"]);
    await started.line(/"effect-started".*"hang"/);
    started.send(signal);
    const { stdout, stderr } = await started.ended;
    const run = runIn({ stdout, stderr });
    const second = at.start(["resume", run, "--json"]);
    await second.line(/"effect-started".*"hang"/);
    second.send("SIGINT");
    await second.ended;
    expect((await charged(at))[0]).toMatchObject({ tokens: 40 + 25 + 25 });
  });

  it("has one of its own for each key, though two come to the same id", async () => {
    using at = await project();
    const ended = await at.cli(["run", "spend", "--input", '"ids"', "--json"]);
    const { reason } = JSON.parse(ended.lines.at(-1)!) as { reason: string };
    expect(JSON.parse(reason)).toEqual(["a b", expect.stringMatching(/^a-b-/)]);
    expect((await charged(at))[0]).toMatchObject({ tokens: 80 });
  });

  it("is charged by estimates where what was spent is no number", async () => {
    using at = await project();
    await at.cli(["run", "spend", "--input", '"odd"']);
    expect((await charged(at))[0]).toMatchObject({ tokens: 120, usd: expect.closeTo(1.2) });
  });
});

const words = "sail ".repeat(2_000);
const replies: [string, Reply, number][] = [
  ["a stream that broke after 2,000 tokens", { text: words + words, fault: "cut", piece: 400 }, 2_000],
  ["a stream that fell silent and was left", { text: words + words, fault: "stall", piece: 400 }, 2_000],
  ["a call whose answer was lost", { fault: "refuse" }, 50],
  ["a try that a gateway has cut", { status: 504 }, 50],
];

describe("a model's call", { timeout: 120_000 }, () => {
  const ask = (url: string) => [
    "run",
    "talk",
    "--url",
    url,
    "--model",
    "small",
    "-c",
    "retry.waits=[0]",
    "-c",
    "retry.timeout=3",
  ];

  it.each(replies)("is charged for %s", async (_, reply, least) => {
    await using server = await startFaultServer();
    server.next(reply);
    server.otherwise = { text: "a boat", usage: { input: 10, output: 10 } };
    using at = fixtureProject();
    const ended = await at.cli(ask(server.url));
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    expect(server.requests).toHaveLength(2);
    expect((await charged(at))[0]!.tokens).toBeGreaterThanOrEqual(20 + least);
  });

  it.each(["SIGINT", "SIGKILL"] as const)("is charged where %s came in the middle of its stream", async (signal) => {
    await using server = await startFaultServer();
    server.next({ text: words, piece: 40, drip: 5 });
    server.otherwise = { text: "a boat", usage: { input: 10, output: 10 } };
    using at = fixtureProject();
    const started = at.start([...ask(server.url), "--json"]);
    await started.line(/"progress"/);
    started.send(signal);
    const run = runIn(await started.ended);
    expect(await at.cli(["resume", run, ...ask(server.url).slice(2)])).toMatchObject({ code: 0 });
    expect((await charged(at))[0]!.tokens).toBeGreaterThanOrEqual(20 + 50);
  });

  it.each(["-1000000", "1e999", '"none"', "[]"])("is charged where the server says that it used %s", async (count) => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(`{"id":"1","created":1,"model":"small","choices":[{"index":0,"message":{"role":"assistant","content":${JSON.stringify(words)}},"finish_reason":"stop"}],
          "usage":{"prompt_tokens":${count},"completion_tokens":${count},"total_tokens":${count}}}`);
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    using at = fixtureProject();
    const ended = await at.cli(ask(`http://127.0.0.1:${port}/v1`));
    server.close();
    const { tokens } = (await charged(at))[0]!;
    expect(tokens, ended.stderr).toBeGreaterThanOrEqual(2_000);
    expect(tokens).toBeLessThan(100_000);
  });
});
