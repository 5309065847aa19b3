// Two processes that want the same run: one gets it, and a writer that was taken over stops without a word in the chain.

import { openProject } from "loopwright";
import { describe, expect, it } from "vitest";
import { verifyRun } from "../../packages/core/src/journal/verify.ts";
import { type Ended, failure, journalOf, lineThat, openTemp, type Program, start, tempFolder } from "./harness.ts";
import { fill } from "./programs/loops.ts";

const endless = { rounds: 100_000, bytes: 10 };

async function runningIn(
  dir: string,
  input: object = endless,
  until = "effect-finished",
): Promise<{ program: Program; run: string }> {
  const program = start("run", [JSON.stringify({ dir, input })]);
  const { run } = JSON.parse(await lineThat(program, (line) => line.includes(until)));
  return { program, run };
}

function expectLost({ code, lines }: Ended, run: string): void {
  expect(code).toBe(1);
  const { error } = JSON.parse(lines.at(-1)!);
  expect(error).toMatchObject({ isOwn: true, code: "LEASE_LOST" });
  expect(error.message).toContain(`run ${run} was taken over`);
}

describe("a run that a live process holds", () => {
  it("is refused to another, and the message names the holder", async () => {
    const dir = await tempFolder();
    const { program, run } = await runningIn(dir);
    const project = await openTemp({ dir });
    const error = await failure(project.resume(fill, run));
    expect(error).toMatchObject({ code: "LEASE_HELD", data: { pid: program.child.pid } });
    expect(error.message).toContain(`process ${program.child.pid} on `);
    await program.kill();
    const record = await project.record(run);
    const ceilings = { iterations: record.iterations + 2 };
    expect(await project.resume(fill, run, { ceilings })).toMatchObject({ outcome: "ceiling", advanced: true });
    expect(await project.verify(run)).toMatchObject({ ok: true });
  });

  it("can be taken from it, and it stops by itself with nothing lost or written twice", async () => {
    const dir = await tempFolder();
    const { program, run } = await runningIn(dir);
    const project = await openTemp({ dir });
    const record = await project.record(run);
    const ceilings = { iterations: record.iterations + 20 };
    const result = await project.resume(fill, run, { take: true, ceilings });
    expect(result).toMatchObject({ outcome: "ceiling", advanced: true });
    expectLost(await program.ended, run);
    const rows = await project.ports.journal.read(run);
    expect(JSON.parse(rows.at(-1)!.body)).toMatchObject({ type: "run-ended", outcome: "ceiling" });
    expect(await project.verify(run)).toMatchObject({ ok: true, problems: [] });
    expect(new Set(result.state.values).size).toBe(result.state.values.length);
  });

  it("can be taken while its holder is frozen, which is refused when it wakes", async () => {
    const dir = await tempFolder();
    // Frozen in the middle of an effect: in the middle of a commit it would hold the whole journal.
    const { program, run } = await runningIn(dir, { ...endless, idle: 500 }, "effect-started");
    program.child.kill("SIGSTOP");
    const project = await openTemp({ dir });
    expect(await failure(project.resume(fill, run))).toMatchObject({ code: "LEASE_HELD" });
    const record = await project.record(run);
    const ceilings = { iterations: record.iterations + 2 };
    await project.resume(fill, run, { take: true, ceilings });
    const rows = await project.ports.journal.read(run);
    program.child.kill("SIGCONT");
    expectLost(await program.ended, run);
    expect(await project.ports.journal.read(run)).toEqual(rows);
  });

  it.skipIf(process.platform !== "linux")("is refused to a process that cannot read /proc", async () => {
    const dir = await tempFolder();
    const { program, run } = await runningIn(dir, { ...endless, idle: 500 }, "effect-started");
    const prefix = ["sh", "-c", 'ulimit -n 64; exec "$@"', "sh"];
    const { lines, stderr } = await start("acquire-blind", [journalOf(dir), run], { prefix }).ended;
    expect(JSON.parse(lines.at(-1) ?? stderr)).toEqual({ alive: true, taken: "LEASE_HELD" });
    await program.kill();
    const dead = await start("acquire-blind", [journalOf(dir), run], { prefix }).ended;
    expect(JSON.parse(dead.lines.at(-1)!)).toMatchObject({ alive: false, taken: { run } });
  });

  it("goes to exactly one of several that resume it at once when its holder has died", async () => {
    const dir = await tempFolder();
    const { program, run } = await runningIn(dir);
    await program.kill();
    const rivals = Array.from({ length: 3 }, () => start("run", [JSON.stringify({ dir, run })]));
    const first = await Promise.any(
      rivals.map(async (rival) => {
        await lineThat(rival, (line) => line.includes("effect-finished"));
        return rival;
      }),
    );
    const losers = await Promise.all(rivals.filter((rival) => rival !== first).map((rival) => rival.ended));
    for (const { lines } of losers)
      expect(JSON.parse(lines.at(-1)!)).toMatchObject({ error: { isOwn: true, code: "LEASE_HELD" } });
    await first.kill();
    const project = await openProject({ dir });
    expect(await project.verify(run)).toMatchObject({ ok: true });
    await project.close();
  });

  it("can be verified while it goes on, and nothing that is written meanwhile is taken for damage", async () => {
    const project = await openTemp();
    const { run } = await project.start(fill, endless, { ceilings: { iterations: 3 } });
    const { journal, store } = project.ports;
    let iterations = 3;
    for (const moment of ["fold", "blob", "isFileReleased"]) {
      const meanwhile = new Proxy(journal, {
        get(target, property) {
          const method = Reflect.get(target, property) as (...args: unknown[]) => Promise<unknown>;
          if (property !== moment) return method?.bind(target);
          return async (...args: unknown[]) => {
            iterations += 2;
            await project.resume(fill, run, { ceilings: { iterations } });
            return method.apply(target, args);
          };
        },
      });
      expect(await verifyRun(meanwhile, store, run), `as it reads the ${moment}`).toMatchObject({ problems: [] });
    }
    expect(iterations).toBeGreaterThan(3);
  });

  it("can be verified over and over while another process writes it", async () => {
    const dir = await tempFolder();
    const { program, run } = await runningIn(dir, { rounds: 100_000, bytes: 900 });
    const project = await openTemp({ dir });
    for (let round = 0; round < 30; round++) {
      const { events, problems } = await project.verify(run);
      expect(problems, `at ${events} events`).toEqual([]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await program.kill();
    expect(await project.verify(run)).toMatchObject({ ok: true });
  });
});
