// `loopwright doctor`: what is installed, what is missing, and what each missing part would enable; and of the project, whether its
// loops can be loaded and its models asked. Nothing is sent;
// with `--models` each endpoint that the configuration uses is asked what it serves and how.

import { execFile, spawnSync } from "node:child_process";
import { existsSync, statfsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brokenLink, type MachineFinding as Finding, MODEL_PLACEHOLDER, type Project } from "@loopwright/core";
import { type Endpoint, type ModelName, type ModelsConfiguration, nameToText } from "@loopwright/models/configuration";
import type { Probe } from "@loopwright/models/probe";
import { pad, plainLine, showCount, showSize } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import type { Looked } from "../configuration/configuration.ts";
import { isSame } from "../drive/notices.ts";
import { defaultPackages } from "../loops/find-command.ts";
import { findPackage } from "../loops/find-package.ts";
import { defaultLoops, fileOf, trustedLoops } from "../loops/sources.ts";

const REFUSED = "fix it; commands refuse it";

const programs = [
  { name: "git", enables: "workspaces and history" },
  { name: "bwrap", enables: "the sandbox for generated code (Debian: apt-get install bubblewrap)" },
];

export async function run(cli: Cli): Promise<number> {
  if (cli.isSet("models")) return probeModels(cli);
  const packages = await defaultPackages();
  const findings = [
    sound("node", `${process.versions.node} (${process.execPath})`, "everything"),
    ...(await Promise.all(programs.map(programFinding))),
    ...(await Promise.all(packages.map((each) => each.package.doctor?.() ?? []))).flat(),
    ...(await folderFindings(cli.dir)),
    ...(await journalFindings(cli)),
    ...(await configurationFindings(cli)),
  ];
  const stop = join(cli.dir, ".loopwright", "STOP");
  if (existsSync(stop)) findings.push(fault("stop", `${stop} keeps every run from going on`, "delete it to go on"));
  const isSound = findings.every(({ state }) => state !== "fault");
  const { terminal } = cli;
  if (terminal.isJson) terminal.document("doctor", { findings });
  else {
    const color = { ok: "green", missing: "yellow", fault: "red" } as const;
    for (const { name, state, found, enables } of findings) {
      terminal.print(`${terminal.style(color[state], pad(state, 8))} ${pad(name, 10)} ${found}`);
      if (state !== "ok") terminal.print(terminal.style("dim", `${" ".repeat(20)}${enables}`));
    }
    if (isSound) terminal.say(`\nThe demo needs nothing but Node: ${cli.typed("loopwright demo")}`);
  }
  return isSound ? 0 : 1;
}

const withState = (state: Finding["state"]) => (name: string, found: string, enables: string) =>
  ({ name, state, found, enables }) as Finding;
const [sound, missing, fault] = [withState("ok"), withState("missing"), withState("fault")];

async function programFinding({ name, enables }: (typeof programs)[number]): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)(name, ["--version"], { timeout: 10_000 });
    return sound(name, stdout.split("\n", 1)[0]!.trim(), enables);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing) return missing(name, "not installed", `would enable: ${enables}`);
    return fault(name, `it does not start: ${wordsOf(error)}`, enables);
  }
}

/** The project's folder, and the room on its disk. */
async function folderFindings(dir: string): Promise<Finding[]> {
  if (!existsSync(dir))
    return [fault("folder", `there is no folder ${dir}`, "make it, or choose another one with --dir")];
  const isWritable = await access(dir, constants.W_OK).then(
    () => true,
    () => false,
  );
  const { bavail, bsize } = statfsSync(dir);
  const free = bavail * bsize;
  const ofDisk = free < 100e6 ? fault : sound;
  return [
    isWritable
      ? sound("folder", dir, "runs")
      : fault("folder", `${dir} cannot be written`, "choose another one with --dir"),
    ofDisk("disk", `${showSize(free)} free`, "a full disk stops a run; free some space"),
  ];
}

/** The journal, where there is one or should be: each run whose record does not hold, and what is wrong with it. */
async function journalFindings(cli: Cli): Promise<Finding[]> {
  if (!existsSync(cli.dir)) return [];
  try {
    await using project = await cli.existingProject();
    if (!project) return [];
    const runs = await project.ports.journal.runs();
    const damaged: Finding[] = [];
    for (const run of runs) {
      const found = await damageOf(project, run);
      const enables = `${cli.typed(`loopwright verify ${run}`)} says all of it; a copy of .loopwright from before puts it right`;
      if (found !== undefined) damaged.push(fault("journal", `${run}: ${found}`, enables));
    }
    if (damaged.length > 0) return damaged;
    return [sound("journal", showCount(runs.length, "run"), "every run")];
  } catch (error) {
    return [fault("journal", wordsOf(error), REFUSED)];
  }
}

/** What is wrong with the record of a run; undefined where nothing is. */
async function damageOf(project: Project, run: string): Promise<string | undefined> {
  try {
    const broken = brokenLink(run, await project.ports.journal.read(run));
    if (broken === undefined) await project.record(run);
    return broken;
  } catch (error) {
    return wordsOf(error);
  }
}

async function configurationFindings(cli: Cli): Promise<Finding[]> {
  try {
    const looked = await cli.look();
    const found = looked.files.length > 0 ? looked.files.join(", ") : "none (defaults)";
    return [
      sound("config", found, ""),
      trustFinding(looked, cli),
      ...(await loopFindings(looked, cli)),
      ...modelFindings(looked, cli),
    ];
  } catch (error) {
    return [fault("config", (error as Error).message, REFUSED)];
  }
}

function trustFinding({ controls, untrusted }: Looked, cli: Cli): Finding {
  const wants = untrusted().flatMap((control) => control.lines.map(plainLine));
  if (wants.length > 0)
    return missing(
      "trust",
      `this folder is not trusted, and wants: ${wants.join("; ")}`,
      `look at it first; then: ${cli.typed("loopwright doctor --trust")}`,
    );
  const isAsking = controls.some(({ lines }) => lines.length > 0);
  const found = isAsking ? "this folder is trusted as it is now" : "nothing in this folder needs it";
  return sound("trust", found, "commands, loops and keys that the folder's files name");
}

/** The project's own loops: whether each can be loaded. */
async function loopFindings({ loops }: Looked, cli: Cli): Promise<Finding[]> {
  const [known, trusted] = [defaultLoops(), trustedLoops(loops)];
  const own = Object.entries(loops).filter(([name]) => !Object.hasOwn(known, name));
  return Promise.all(
    own.map(async ([name, source]): Promise<Finding> => {
      const { module } = source;
      const file = fileOf(source);
      const enables = cli.typed(`loopwright run ${name}`);
      const isThere = file === undefined || existsSync(file);
      if (!isThere) return fault("loop", `${name}: there is no ${file}`, `fix it, for ${enables}`);
      if (!Object.hasOwn(trusted, name))
        return missing("loop", `${name}: ${module} was not loaded, for this folder is not trusted`, enables);
      try {
        const found = await findPackage(name, { loops });
        if (found.package.loop) await found.loop();
        return sound("loop", `${name}: ${module}`, enables);
      } catch (error) {
        return fault("loop", `${name}: ${wordsOf(error)}`, `fix it, for ${enables}`);
      }
    }),
  );
}

/** The models of each role: whether what they need is there. A folder that is not trusted is not asked for its own. */
function modelFindings(looked: Looked, cli: Cli): Finding[] {
  if (looked.untrusted().length > 0) return [];
  const { models } = looked.configuration();
  return Object.entries(models.profiles).flatMap(([role, profile]) =>
    [profile, ...profile.fallback].map((name): Finding => {
      const words = `${role}: ${plainLine(nameToText(name))}`;
      const lacks = lackOf(models, name);
      if (lacks) return fault("model", `${words}: ${lacks.what}`, lacks.remedy);
      return sound("model", words, `${cli.typed(models.doctor)} asks it for an answer`);
    }),
  );
}

/** What a model cannot be asked without, and what to do about it. */
function lackOf(
  { endpoints }: ModelsConfiguration,
  { endpoint, model }: ModelName,
): { what: string; remedy: string } | undefined {
  const { kind, url, keyEnv, key } = endpoints[endpoint] as Endpoint;
  if (model === MODEL_PLACEHOLDER)
    return { what: `${MODEL_PLACEHOLDER} is no model`, remedy: "put the model's name in its place in loopwright.yaml" };
  if (keyEnv !== undefined && key === undefined)
    return { what: `the environment has no ${keyEnv}`, remedy: `put ${keyEnv}=… into .env or the environment` };
  const program = url.trim().split(/\s+/, 1)[0]!;
  const isProgram = () => spawnSync("sh", ["-c", 'command -v -- "$1"', "sh", program]).status === 0;
  if (kind !== "command" || !/^[\w./+-]+$/.test(program) || isProgram()) return undefined;
  return { what: `there is no program '${plainLine(program)}'`, remedy: "install it, or name another" };
}

function wordsOf(error: unknown): string {
  return plainLine((error as Error).message.split("\n", 1)[0]!);
}

/** Probes the endpoints of every profile and fallback; 1 where one cannot be reached. */
async function probeModels(cli: Cli): Promise<number> {
  const { models, secrets } = await cli.configuration();
  const { terminal } = cli;
  const [{ probeEndpoint }, { sdkWire }, { redactor, redactWire }] = await Promise.all([
    import("@loopwright/models/probe"),
    import("@loopwright/models/sdk-wire"),
    import("@loopwright/models/configuration"),
  ]);
  const redact = redactor(secrets);
  const wire = redactWire(sdkWire(models.endpoints, { timeout: models.retry.timeout * 1000, redact }), redact);
  const probes: Probe[] = [];
  for (const { endpoint, model } of used(models)) {
    const lacks = lackOf(models, { endpoint, model });
    const probe = lacks
      ? { endpoint, isReachable: false, fault: `${lacks.what}; nothing was sent: ${lacks.remedy}`, models: [] }
      : withSwap(await probeEndpoint({ ...models.endpoints[endpoint]!, name: endpoint }, model, wire));
    const served = probe.models.map(redact);
    probes.push({ ...probe, models: served, ...(probe.fault !== undefined && { fault: redact(probe.fault) }) });
    if (!terminal.isJson) {
      const state = probe.fault === undefined ? "ok" : probe.isReachable || lacks ? "fault" : "dead";
      printProbe(cli, state, probes.at(-1)!, contextOf(models, endpoint, model));
    }
  }
  if (terminal.isJson) terminal.document("models", { probes });
  else if (probes.length === 0)
    terminal.print(
      `No model is configured. Name one: ${cli.typed("loopwright doctor --models --model lmstudio:NAME")}`,
    );
  return probes.every(({ fault }) => fault === undefined) ? 0 : 1;
}

/** Every model that a role may reach, once. */
function used({ profiles }: ModelsConfiguration): { endpoint: string; model: string }[] {
  const all = Object.values(profiles).flatMap((profile) => [profile, ...profile.fallback]);
  const names = new Map(all.map(({ endpoint, model }) => [`${endpoint}:${model}`, { endpoint, model }]));
  return [...names.values()];
}

/** A server that lists other models, and has answered with one of them, does not have the one that was asked for. */
function withSwap(probe: Probe): Probe {
  const { models, tried, fault } = probe;
  if (fault !== undefined || !tried || models.length === 0 || isSame(tried.model, tried.answeredBy)) return probe;
  if (models.some((served) => isSame(tried.model, served))) return probe;
  return { ...probe, fault: `it does not serve ${tried.model}; ${tried.answeredBy} has answered in its place` };
}

function contextOf({ profiles }: ModelsConfiguration, endpoint: string, model: string): number | undefined {
  return Object.values(profiles).find((profile) => profile.endpoint === endpoint && profile.model === model)?.context;
}

function printProbe(
  { terminal }: Cli,
  state: "ok" | "fault" | "dead",
  { endpoint, fault, models, tried }: Probe,
  context?: number,
): void {
  const color = state === "ok" ? "green" : "red";
  terminal.print(`${terminal.style(color, state)}  ${endpoint}${fault === undefined ? "" : `  ${plainLine(fault)}`}`);
  if (models.length > 0)
    terminal.print(`    serves ${plainLine(models.slice(0, 8).join(", "))}${models.length > 8 ? ", …" : ""}`);
  if (!tried) return;
  const swapped = isSame(tried.model, tried.answeredBy)
    ? ""
    : terminal.style("yellow", `, answered by ${plainLine(tried.answeredBy)}`);
  terminal.print(`    asked ${plainLine(tried.model)}${swapped}`);
  const small = tried.served !== undefined && context !== undefined && tried.served < context;
  terminal.print(
    `    context ${tried.served ?? "not told"}${small ? terminal.style("yellow", ` (the configuration says ${context}: lower it, or serve more)`) : ""}`,
  );
  const speed = tried.tokensPerSecond === undefined ? "" : `, ${tried.tokensPerSecond} tokens per second`;
  terminal.print(`    structured output by ${tried.structured ?? "prompt"}${speed}`);
}
