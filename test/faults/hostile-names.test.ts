// Hostile names: nothing leaves the folder of the run, and no name is taken for something else.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineLoop, LoopwrightError } from "loopwright";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { failure, openTemp, tempFolder } from "./harness.ts";
import { once } from "./programs/loops.ts";

const odd = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "$blob",
  "spread",
  "",
  " ",
  "a/b",
  "ü\n\t\0",
  "🚢".repeat(50),
];

/** Names with what a test's title calls them. */
function labeled(names: readonly string[]): [string, string][] {
  return names.map((name) => [name.length > 60 ? `${name.length} letters` : JSON.stringify(name), name]);
}

describe("an artifact's name", () => {
  it.each(
    labeled([
      "../x",
      "//etc/x",
      "/../x",
      "a/../../b",
      "C:\\x",
      "a\\..\\b",
      "",
      ".",
      "..",
      "a//b",
      "a/",
      "/",
      "a/./b",
      "a\0b",
      "x:y",
    ]),
  )("of %s is refused, and nothing is written outside of the run's folder", async (_label, name) => {
    const outer = await tempFolder();
    const project = await openTemp({ dir: join(outer, "a", "b") });
    const loop = once(async (ctx) => {
      const direct = await ctx.save(name, "text").catch((error: LoopwrightError) => error);
      const inside = await ctx
        .effect("save", { run: (effect) => effect.save(name, "text") })
        .catch((error: LoopwrightError) => error);
      for (const error of [direct, inside]) {
        expect(error).toBeInstanceOf(LoopwrightError);
        expect(error).toMatchObject({ code: "ARTIFACT_NAME" });
        expect((error as LoopwrightError).message).toMatch(/no name for an artifact: use a relative path/);
      }
      return {};
    });
    const { run } = await project.start(loop, null);
    expect(await project.verify(run)).toMatchObject({ ok: true, artifacts: 0 });
    expect(existsSync(join(project.dir, ".loopwright", "files"))).toBe(false);
    expect(readdirSync(outer)).toEqual(["a"]);
    expect(readdirSync(join(outer, "a"))).toEqual(["b"]);
  });

  it.each(labeled(["x".repeat(300), `${"deep/".repeat(2000)}x`]))(
    "that no disk takes is refused, or costs only the copy for people",
    async (_label, name) => {
      const project = await openTemp();
      const warnings: string[] = [];
      const listen = (warning: Error) => warnings.push(warning.message);
      process.on("warning", listen);
      const loop = once(async (ctx) => {
        try {
          const saved = await ctx.save(name, "text");
          return { told: [Buffer.from(await ctx.load(saved)).toString()] };
        } catch (error) {
          return { told: [(error as LoopwrightError).code] };
        }
      });
      const { outcome, state } = await project.start(loop, null);
      await new Promise((resolve) => setImmediate(resolve));
      process.off("warning", listen);
      expect(outcome).toBe("done");
      if (state.told[0] !== "ARTIFACT_NAME") {
        expect(state.told).toEqual(["text"]);
        expect(warnings.join()).toContain("could not be written");
      }
    },
  );

  it.each(
    labeled([
      "ü.txt",
      "-rf",
      "a b",
      "run.json",
      "summary.json",
      "__proto__",
      "constructor",
      "...",
      "a\nb",
      "%2e%2e",
      "~",
      "$HOME",
      "🚢",
    ]),
  )("of %s is only a name", async (_label, name) => {
    const project = await openTemp();
    const loop = once(async (ctx) => {
      const saved = await ctx.save(name, "text");
      return { told: [saved.path, Buffer.from(await ctx.load(saved)).toString()] };
    });
    const { run, state } = await project.start(loop, null);
    expect(state.told).toEqual([`attempt-000/iterations/iter-001/${name}`, "text"]);
    expect(existsSync(join(project.dir, "runs", run, state.told[0] as string))).toBe(true);
    expect(await project.verify(run)).toMatchObject({ ok: true, artifacts: 1 });
  });

  it("cannot take the place of what the engine writes into the folder of a child run", async () => {
    const project = await openTemp();
    const child = defineLoop({
      name: "child",
      version: 1,
      input: z.object({}),
      state: z.object({}),
      initial: () => ({}),
      start: "work",
      iteration: "work",
      phases: { work: { to: [], run: (_state, ctx) => ctx.end("declined") } },
      finish: async (_state, _ending, ctx) => {
        await ctx.save("run.json", '{"head":{"seq":999,"link":"ff"}}').catch(() => {});
        await ctx.save("summary.json", "{}").catch(() => {});
      },
    });
    const parent = once(async (ctx) => ({
      told: [(await ctx.spawn("child", child, {})).run],
    }));
    const { state } = await project.start(parent, null);
    const run = state.told[0] as string;
    expect(await project.verify(run)).toMatchObject({ ok: true, problems: [] });
    const record = await project.record(run);
    const stands = JSON.parse(readFileSync(join(project.dir, "runs", record.folder, "run.json"), "utf8"));
    expect(stands).toMatchObject({ run });
    expect(stands.head?.seq).not.toBe(999);
  });
});

describe("a run's id", () => {
  it.each(
    labeled([
      "../x",
      "/etc/passwd",
      "a/../../b",
      "C:\\x",
      "%",
      "_",
      "*",
      "' OR 1=1 --",
      "\0",
      "x".repeat(100_000),
      "__proto__",
    ]),
  )("of %s is found nowhere, and named", async (_label, id) => {
    const project = await openTemp();
    const { run } = await project.start(
      once(async () => ({})),
      null,
    );
    await writeFile(join(project.dir, "x"), "");
    for (const act of [
      project.find(id),
      project.resume(
        once(async () => ({})),
        id,
      ),
      project.answer(id, "yes"),
      project.cancel(id),
      project.pause(id),
      project.raise(id, { minutes: 5 }),
      project.fork(id, 1),
      project.release([id]),
    ])
      expect(await failure(act)).toMatchObject({ code: "RUN_NOT_FOUND" });
    expect(await project.verify(id)).toMatchObject({ ok: false, events: 0 });
    expect(await project.find(run)).toBe(run);
  });

  it("is the run itself where all others that fit are its forks", async () => {
    const project = await openTemp();
    const loop = once(async () => ({}));
    const { run } = await project.start(loop, null);
    const forks = [await project.fork(run, 1), await project.fork(run, 1)];
    expect(await project.find(run.slice(0, -1))).toBe(run);
    expect(await project.find(forks[0]!)).toBe(forks[0]);
    expect(await project.find(forks[1]!)).toBe(forks[1]);
  });

  it("is ambiguous where it is empty and there are several runs, and fits where there is one", async () => {
    const project = await openTemp();
    const loop = once(async () => ({}));
    const { run } = await project.start(loop, null);
    expect(await project.find("")).toBe(run);
    const { run: second } = await project.start(loop, null);
    expect(await failure(project.find(""))).toMatchObject({ code: "RUN_AMBIGUOUS" });
    for (let more = 0; more < 5; more++) await project.start(loop, null);
    expect((await failure(project.find(""))).message).toMatch(/^'' fits 7 runs: (\S+, ){4}\S+ and 2 more$/);
    expect(await project.find(run)).toBe(run);
    expect(await project.find(second)).toBe(second);
  });

  it.each(labeled(["../../x", "a/b", "", "....", "ü", "x".repeat(1000), "__proto__"]))(
    "made from the words %s stays in runs/",
    async (_label, slug) => {
      const project = await openTemp();
      const { run, folder } = await project.start(
        once(async () => ({})),
        null,
        { slug },
      );
      expect(run).toMatch(/^\d{8}-\d{6}_[a-z0-9-]{1,40}$/);
      expect(readdirSync(join(project.dir, "runs"))).toContain(folder);
    },
  );
});

describe("an effect's key", () => {
  it.each(labeled([...odd, "x".repeat(10_000)]))(
    "of %s is made once, found again after a stop, and replayed",
    async (_label, key) => {
      const project = await openTemp();
      let calls = 0;
      let isBroken = true;
      const loop = once(async (ctx) => {
        const first = await ctx.effect(key, { input: { key }, run: () => `call ${++calls}` });
        await ctx.effect("a plain one", {
          run: () => {
            if (isBroken) throw new Error("broken");
            return null;
          },
        });
        return { told: [first] };
      });
      await expect(project.start(loop, null)).rejects.toThrow("broken");
      const [run] = await project.ports.journal.runs();
      isBroken = false;
      expect(await project.resume(loop, run!)).toMatchObject({ outcome: "done", state: { told: ["call 1"] } });
      expect(calls).toBe(1);
      expect(await project.verify(run!)).toMatchObject({ ok: true });
    },
  );

  it.each(labeled(odd))("of %s keeps bodies side by side apart", async (_label, key) => {
    const project = await openTemp();
    const loop = once(async (ctx) => {
      const body = async (scope: typeof ctx) => scope.effect("same", { run: () => key });
      const results = await ctx.all({ [key]: body, other: body });
      return { told: [Object.entries(results)] };
    });
    const { state } = await project.start(loop, null);
    expect(state.told).toEqual([
      [
        [key, key],
        ["other", key],
      ],
    ]);
  });

  it.each(labeled([...odd, "../../../x", "x".repeat(1_000)]))(
    "of %s can start a child run, whose folder stays in its parent's",
    async (_label, key) => {
      const project = await openTemp();
      const child = once(async (ctx) => {
        await ctx.save("file.txt", "text");
        return { told: [1] };
      });
      const parent = once(async (ctx) => {
        const { outcome, run } = await ctx.spawn(key, child, null);
        return { told: [outcome, run] };
      });
      const { run, state } = await project.start(parent, null);
      expect(state.told[0]).toBe("done");
      const record = await project.record(state.told[1] as string);
      expect(join(record.folder)).toBe(record.folder);
      expect(record.folder.startsWith(`${run}/children/`)).toBe(true);
      expect(readdirSync(project.dir).toSorted()).toEqual([".loopwright", "runs"]);
      for (const id of await project.ports.journal.runs()) expect(await project.verify(id)).toMatchObject({ ok: true });
    },
  );

  it("gives an error of an odd name back as an error, at once and on replay", async () => {
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty", ""]) {
      const project = await openTemp();
      let isBroken = true;
      const seen: unknown[] = [];
      const loop = once(async (ctx) => {
        const run = () => {
          throw Object.assign(new Error("odd"), { name });
        };
        await ctx.effect("odd", { run }).catch((error: unknown) => seen.push(error));
        if (isBroken) throw new Error("broken");
        return {};
      });
      await expect(project.start(loop, null)).rejects.toThrow("broken");
      isBroken = false;
      await project.resume(loop, (await project.ports.journal.runs())[0]!);
      expect(seen).toHaveLength(2);
      for (const error of seen) {
        expect(error, `an error called '${name}'`).toBeInstanceOf(Error);
        expect((error as Error).message).toBe("odd");
      }
    }
  });
});

describe("a gate", () => {
  it.each(labeled([...odd, "x".repeat(10_000)]))(
    "named %s is asked, answered and not mixed up",
    async (_label, name) => {
      const project = await openTemp();
      const loop = once(async (ctx) => {
        const { choice } = await ctx.ask({ name, question: "Which?", choices: ["one", "two"], default: "one" });
        return { told: [choice] };
      });
      const { run, outcome, gate } = await project.start(loop, null);
      expect(outcome).toBe("waiting");
      expect(gate).toMatchObject({ name, run });
      expect(await project.resume(loop, run)).toMatchObject({ outcome: "waiting", advanced: false });
      expect(await project.answer(run, "two")).toMatchObject({ counted: true });
      expect(await project.resume(loop, run)).toMatchObject({ outcome: "done", state: { told: ["two"] } });
      expect(await project.verify(run)).toMatchObject({ ok: true });
    },
  );

  it.each(labeled(odd))(
    "takes the choice %s as it is, and no name of an object's own for one",
    async (_label, choice) => {
      const project = await openTemp();
      const loop = once(async (ctx) => {
        const answer = await ctx.ask({ name: "gate", question: "Which?", choices: ["plain", choice], default: choice });
        return { told: [answer.choice] };
      });
      const { run } = await project.start(loop, null);
      for (const unknown of odd.filter((other) => other !== choice))
        expect(await failure(project.answer(run, unknown))).toMatchObject({ code: "CHOICE_UNKNOWN" });
      await project.answer(run, choice);
      expect(await project.resume(loop, run)).toMatchObject({ state: { told: [choice] } });
    },
  );

  it.each(labeled(odd))("that an ending opens leads where its choice %s says", async (_label, choice) => {
    const project = await openTemp();
    const loop = defineLoop({
      name: "leading",
      version: 1,
      input: z.object({}),
      state: z.object({}),
      initial: () => ({}),
      start: "work",
      iteration: "work",
      phases: {
        work: {
          to: ["after"],
          run: (_state, ctx) =>
            ctx.end("escalated", {
              gate: { name: "look", question: "Which?", choices: { [choice]: "after", stay: null }, default: "stay" },
            }),
        },
        after: { to: [], run: (_state, ctx) => ctx.end("declined", { reason: "it went after" }) },
      },
    });
    const { run, outcome } = await project.start(loop, {});
    expect(outcome).toBe("escalated");
    expect(await project.verify(run)).toMatchObject({ ok: true, problems: [] });
    await project.answer(run, choice);
    expect(await project.resume(loop, run)).toMatchObject({ outcome: "declined", reason: "it went after" });
    expect(await project.verify(run)).toMatchObject({ ok: true, problems: [] });
  });
});
