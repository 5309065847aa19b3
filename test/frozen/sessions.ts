// The recorded sessions of every loop, each through the real program alone: what is typed, and which files it has to come to.

import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { cpSync, globSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type CliOptions, type Ended, Folder } from "../fakes/cli.ts";
import { startFaultServer } from "../fakes/fault-server.ts";
import { copyRepository } from "../fixtures/repositories/repositories.ts";

const fixtures = join(import.meta.dirname, "../fixtures");
const examples = join(import.meta.dirname, "../../examples");

export interface Session {
  needsBlender?: true;
  /** Runs it in an empty folder. */
  run(at: Folder, options: Partial<CliOptions>): Promise<Ended>;
  /** What was accepted, in words or as digests of files. */
  accepted(at: Folder): Record<string, unknown>;
}

/** What a session comes to, before and after every change of the program. */
export interface Frozen {
  exit: number | null;
  outcome?: unknown;
  iterations?: unknown;
  /** The score of each iteration; not where pictures of Blender are judged, which differ a little with its version. */
  scores?: unknown;
  accepted: Record<string, unknown>;
}

const desk = ["--model", "lmstudio:desk"];
const replay = (cassette: string) => ["--cassette", cassette, "--cassette-mode", "replay"];

function code(name: string): Session {
  return {
    run(at, options) {
      cpSync(join(fixtures, "code", name), at.dir, { recursive: true });
      return at.cli(["code", ...desk, ...replay("cassette.json"), "--json"], options);
    },
    accepted: (at) => at.listing("workspace"),
  };
}

/** The demo of the code loop, whose recorded answers come with the package. */
const codeDemo: Session = {
  run: (at, options) => at.cli("demo code --json", options),
  accepted: (at) => at.listing("demo-code"),
};

/** Test files that the second task does without, for each takes a process each time. */
const FURTHER = /^(issue|fastify-issue|constraint|pretty)/;

function repository(task: string, name: string, without: RegExp): Session {
  const recorded = join(fixtures, "repositories", task);
  return {
    async run(at, options) {
      cpSync(join(recorded, "task.md"), join(at.dir, "task.md"));
      copyRepository(name, join(at.dir, "repo"));
      const tests = join(at.dir, "repo/test");
      for (const file of readdirSync(tests)) if (without.test(file)) rmSync(join(tests, file));
      cpSync(join(at.dir, "repo"), join(at.dir, "before"), { recursive: true });
      const answers = readdirSync(recorded).filter((file) => file !== "task.md");
      // What a proof finds in its time, and so what is asked, depends on the machine.
      const words = ["code", "--workspace", "repo", "--model", "desk", "-c", "code.proof.budget=0x", "--json"];
      return await answered(
        at,
        words,
        answers.map((file) => join(recorded, file)),
        options,
      );
    },
    accepted(at) {
      const [before, after] = [at.listing("before"), at.listing("repo")];
      const paths = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]);
      return { ...asked(at), ...Object.fromEntries(paths.map((path) => [path, after[path] ?? "removed"])) };
    },
  };
}

/** The trawler, whose bytes are those of one version of Blender: what was accepted is the code that made it. */
const trawler: Session = {
  needsBlender: true,
  async run(at, options) {
    cpSync(join(fixtures, "hull/recorded"), at.dir, { recursive: true });
    const answers = readdirSync(join(at.dir, "answers")).toSorted();
    const files = answers.map((file) => join(at.dir, "answers", file));
    return await answered(at, ["hull", "--model", "desk", "--json"], files, options);
  },
  accepted: (at) => ({ ...asked(at), ...digests(at, "runs/*/attempt-000/iterations/*/code.py") }),
};

/** The demo of the hull; each time in `kills` it is killed after so many iterations, and resumed. */
function demo(seed: number, ...kills: number[]): Session {
  return {
    async run(at, options) {
      let words = ["demo", "hull", "--seed", String(seed)];
      for (const iteration of kills) {
        const running = at.start([...words, "--json"], options);
        await running.line(new RegExp(`"type":"verdict-recorded".*"iteration":${iteration},`));
        running.send("SIGKILL");
        await running.ended;
        words = ["resume", "--continue"];
      }
      return await at.cli([...words, "--json"], options);
    },
    accepted: (at) => digests(at, "runs/*/attempt-000/final.glb"),
  };
}

const judged = join(fixtures, "fab/recorded");

function judge(file: string, gate: string, prompt: string): Session {
  return {
    run(at, options) {
      cpSync(judged, at.dir, { recursive: true });
      const models = ["--model", "critic=lmstudio:critic-model", "--model", "tiebreaker=lmstudio:tiebreaker-model"];
      const words = ["fab", "judge", file, "--gate", gate, "--prompt", prompt, ...models, "--max-tokens", "30000000"];
      return at.cli([...words, ...replay("cassette.json"), "--json"], options);
    },
    accepted: gateVerdict,
  };
}

const hatchback: Session = {
  needsBlender: true,
  async run(at, options) {
    const asset = ["--title", "red hatchback", "--kind", "car", "--gate", "car_realism_v001"];
    const issue = await at.cli(["issue", "create", ...asset, "--prompt", "a red hatchback"], options);
    const words = ["fab", issue.stdout.trim(), "--builder", "model", "--profile", "draft"];
    const cassette = replay(join(fixtures, "fab/hatchback/cassette.json"));
    return await at.cli([...words, "--model", "lmstudio:builder-model", ...cassette, "--json"], options);
  },
  accepted: (at) => ({ ...gateVerdict(at), library: readdirSync(join(at.dir, "library", libraryOf(at))).toSorted() }),
};

const libraryOf = (at: Folder) => readdirSync(join(at.dir, "library"))[0]!;

/** A novel from an idea to prose, typed into a pipe: the texts that were committed, and what for. */
function novel(name: string): Session {
  const git = (at: Folder, ...args: string[]) =>
    execFileSync("git", ["-C", join(at.dir, "novel"), "-c", "core.quotePath=false", ...args], { encoding: "utf8" });
  const recorded = join(fixtures, "novel", name);
  return {
    run(at, options) {
      const filter = (path: string) => !/session|cassette|answers/.test(path);
      cpSync(recorded, join(at.dir, "novel"), { recursive: true, filter });
      git(at, "init", "-q", "-b", "main");
      git(at, "config", "user.name", "A Writer");
      git(at, "config", "user.email", "writer@example.com");
      const input = readFileSync(join(recorded, "session.txt"), "utf8");
      return at.cli(["novel", "novel", ...desk, ...replay(join(recorded, "cassette.json"))], { ...options, input });
    },
    accepted(at) {
      const committed = git(at, "ls-tree", "-r", "--name-only", "HEAD").trim().split("\n");
      const texts = committed.filter((path) => !/^\.|iteration_history|yaml$/.test(path));
      return {
        commits: git(at, "log", "--reverse", "--format=%s").trim().split("\n"),
        uncommitted: git(at, "status", "--short"),
        ...Object.fromEntries(texts.map((path) => [path, hash("sha256", git(at, "show", `HEAD:${path}`))])),
      };
    },
  };
}

const selfRefine: Session = {
  run(at, options) {
    cpSync(join(examples, "self-refine"), at.dir, { recursive: true });
    const words = ["run", "self-refine", "--input", "@task.json", ...desk, ...replay("cassette.json")];
    return at.cli([...words, "--json"], options);
  },
  accepted: (at) => digests(at, "runs/*/attempt-000/iterations/*/text.md"),
};

/** Runs the program with a server that gives these answers, one for each request, and keeps what it was asked. */
async function answered(at: Folder, words: readonly string[], files: readonly string[], options: Partial<CliOptions>) {
  await using server = await startFaultServer();
  server.next(...files.map((file) => ({ text: readFileSync(file, "utf8"), piece: 4096 })));
  server.otherwise = { status: 400, body: "there is no answer left" };
  const ended = await at.cli([...words, "--url", server.url], options);
  await at.write("asked.json", JSON.stringify(server.requests.map(({ body }) => body)));
  return ended;
}

/** The digest of each request, but for pictures and numbers, which differ a little with the version of Blender. */
function asked(at: Folder): { asked: string[] } {
  const digest = (request: unknown) => {
    const text = JSON.stringify(request, (_, value) => (isPicture(value) ? "picture" : value));
    return hash("sha256", text.replaceAll(/-?\d+(\.\d+)?/g, "#"));
  };
  return { asked: JSON.parse(at.read("asked.json")).map(digest) };
}

const isPicture = (value: unknown) => typeof value === "string" && value.startsWith("data:image/");

/** The verdict of the newest run, without what differs from run to run. */
function gateVerdict(at: Folder): Record<string, unknown> {
  const given = JSON.parse(at.read(`runs/${at.runs().at(-1)!}/verdict/gate_verdict.json`));
  const votes = Object.entries<{ result: string; votes: { vote: string }[] }>(given.vote_pack?.critics ?? {}).map(
    ([critic, pack]) => [critic, [...pack.votes.map(({ vote }) => vote), pack.result].join(" ")],
  );
  return {
    verdict: given.verdict,
    failures: given.failures,
    by_critic: given.scores.by_critic,
    next_actions: given.next_actions.map(({ action }: { action: string }) => action),
    votes: Object.fromEntries(votes),
  };
}

/** The digests of the files that fit, by their paths without the name of the run. */
function digests(at: Folder, pattern: string): Record<string, string> {
  const paths = globSync(pattern, { cwd: at.dir }).toSorted();
  return Object.fromEntries(
    paths.map((path) => [path.replace(/^runs\/[^/]+\//, ""), hash("sha256", readFileSync(join(at.dir, path)))]),
  );
}

const chair = "a black dining chair with a green cushion";

export const sessions: Record<string, Session> = {
  "code: a schedule in Python": code("python"),
  "code: durations in TypeScript": code("typescript"),
  "code: absolute URLs in a router of others'": repository("absolute-url", "find-my-way", /^$/),
  "code: optional parameters in a router of others'": repository("optional-off", "find-my-way-9.6", FURTHER),
  "code: the demo": codeDemo,
  "hull: the demo, seed 1": demo(1),
  "hull: the demo, seed 7": demo(7),
  "hull: the demo, seed 1, killed three times and resumed": demo(1, 2, 5, 6),
  "hull: a trawler in Blender": trawler,
  "fab: a sedan near the line": judge("sedan.glb", "car_by_eye", "a green sedan with four doors"),
  "fab: an SUV near the line": judge("suv.glb", "car_by_eye", "a red SUV with roof rails"),
  "fab: three wheels": judge("three-wheels.glb", "car_by_eye", "a green sedan with four doors"),
  "fab: an SUV for a convertible": judge("suv.glb", "car_by_eye", "a yellow two-seat convertible"),
  "fab: a chair": judge("chair.glb", "chair_by_eye", chair),
  "fab: a chair in dispute": judge("chair.glb", "chair_hero", `${chair} and the mark of its maker under the seat`),
  "fab: a ripped hatchback": judge("hatchback.glb", "car_by_eye", "a red hatchback"),
  "fab: a rough chair": judge("rough-chair.glb", "chair_by_eye", chair),
  "fab: a chair at the gate for cars": judge("chair.glb", "car_by_eye", "a small green car"),
  "fab: a hatchback built by a model": hatchback,
  "novel: five chapters": novel("recorded"),
  "self-refine: a notice": selfRefine,
};

/** Runs a session and says what it came to. */
export async function observe(session: Session, options: Partial<CliOptions> = {}): Promise<Frozen & { ended: Ended }> {
  using at = new Folder();
  const ended = await session.run(at, options);
  const last = ended.lines.findLast((line) => line.includes('"type":"run-ended"'));
  const { outcome, iterations }: Partial<Frozen> = last === undefined ? {} : JSON.parse(last);
  return {
    exit: ended.code,
    outcome,
    iterations,
    scores: scoresOf(at, session),
    accepted: session.accepted(at),
    ended,
  };
}

function scoresOf(at: Folder, { needsBlender }: Session): unknown[] | undefined {
  const summary = `runs/${at.runs().at(-1)}/summary.json`;
  if (needsBlender || !at.has(summary)) return undefined;
  return JSON.parse(at.read(summary)).scores.map(({ score }: { score: number }) => score);
}
