// `loopwright doctor`: what is installed, what is missing, and what each missing part would enable.

import { execFile } from "node:child_process";
import { existsSync, statfsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brokenLink, type MachineFinding, type Project, readRecord } from "@loopwright/core";
import { pad, plainLine, showCount, showSize } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import type { Looked } from "../configuration/configuration.ts";
import { defaultPackages } from "../loops/find-command.ts";
import { loopFindings, modelFindings } from "./doctor-project.ts";

type Finding = MachineFinding;

const programs = [
  { name: "git", args: ["--version"], enables: "workspaces and history" },
  {
    name: "bwrap",
    args: ["--version"],
    enables: "the sandbox for generated code (Debian: apt-get install bubblewrap)",
  },
];

export async function run(cli: Cli): Promise<number> {
  if (cli.isSet("models")) return (await import("./doctor-models.ts")).probeModels(cli);
  const findings = [
    nodeFinding(),
    ...(await Promise.all(programs.map(programFinding))),
    ...(await packageFindings()),
    ...(await projectFindings(cli)),
  ];
  const { terminal } = cli;
  if (terminal.isJson) terminal.document("doctor", { findings });
  else {
    const color = { ok: "green", missing: "yellow", fault: "red" } as const;
    for (const { name, state, found, enables } of findings) {
      terminal.print(`${terminal.style(color[state], pad(state, 8))} ${pad(name, 10)} ${found}`);
      if (state !== "ok") terminal.print(terminal.style("dim", `${" ".repeat(20)}${enables}`));
    }
    const isSound = findings.every(({ state }) => state !== "fault");
    if (isSound) terminal.say();
    if (isSound) terminal.say(`The demo needs nothing but Node: ${cli.typed("loopwright demo")}`);
  }
  return findings.some(({ state }) => state === "fault") ? 1 : 0;
}

function nodeFinding(): Finding {
  return { name: "node", state: "ok", found: `${process.versions.node} (${process.execPath})`, enables: "everything" };
}

async function programFinding({ name, args, enables }: (typeof programs)[number]): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)(name, args, { timeout: 10_000 });
    return { name, state: "ok", found: stdout.split("\n", 1)[0]!.trim(), enables };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing) return { name, state: "missing", found: "not installed", enables: `would enable: ${enables}` };
    return { name, state: "fault", found: `it does not start: ${(error as Error).message.split("\n", 1)[0]}`, enables };
  }
}

/** What the packages that come with Loopwright need of the machine. */
async function packageFindings(): Promise<Finding[]> {
  const packages = await defaultPackages();
  return (await Promise.all(packages.map((each) => each.package.doctor?.() ?? []))).flat();
}

async function projectFindings(cli: Cli): Promise<Finding[]> {
  const { dir } = cli;
  const isThere = existsSync(dir);
  const stop = join(dir, ".loopwright", "STOP");
  const stopped: Finding[] = existsSync(stop)
    ? [{ name: "stop", state: "fault", found: `${stop} keeps every run from going on`, enables: "delete it to go on" }]
    : [];
  const disk = isThere ? [diskFinding(dir)] : [];
  return [
    await folderFinding(dir, isThere),
    ...disk,
    ...(await journalFindings(cli)),
    ...(await configurationFindings(cli)),
    ...stopped,
  ];
}

async function folderFinding(dir: string, isThere: boolean): Promise<Finding> {
  const fault = (found: string, enables: string): Finding => ({ name: "folder", state: "fault", found, enables });
  if (!isThere) return fault(`there is no folder ${dir}`, "make it, or choose another one with --dir");
  const isWritable = await access(dir, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) return fault(`${dir} cannot be written`, "choose another one with --dir");
  return { name: "folder", state: "ok", found: dir, enables: "runs" };
}

/** The journal, where there is one or should be. */
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
      if (found !== undefined) damaged.push({ name: "journal", state: "fault", found: `${run}: ${found}`, enables });
    }
    if (damaged.length > 0) return damaged;
    return [{ name: "journal", state: "ok", found: showCount(runs.length, "run"), enables: "every run" }];
  } catch (error) {
    const found = plainLine((error as Error).message);
    return [{ name: "journal", state: "fault", found, enables: "fix it; commands refuse it" }];
  }
}

/** What is wrong with the record of a run; undefined where nothing is. */
async function damageOf({ ports }: Project, run: string): Promise<string | undefined> {
  try {
    const broken = brokenLink(run, await ports.journal.read(run));
    if (broken === undefined) await readRecord(ports, run);
    return broken;
  } catch (error) {
    return plainLine((error as Error).message);
  }
}

function diskFinding(dir: string): Finding {
  try {
    const { bavail, bsize } = statfsSync(dir);
    const free = bavail * bsize;
    const state = free < 100e6 ? "fault" : "ok";
    return {
      name: "disk",
      state,
      found: `${showSize(free)} free`,
      enables: "a full disk stops a run; free some space",
    };
  } catch (error) {
    return { name: "disk", state: "fault", found: (error as Error).message, enables: "runs" };
  }
}

async function configurationFindings(cli: Cli): Promise<Finding[]> {
  try {
    const looked = await cli.look();
    const found = looked.files.length > 0 ? looked.files.join(", ") : "none (defaults)";
    return [
      { name: "config", state: "ok", found, enables: "" },
      trustFinding(looked, cli),
      ...(await loopFindings(looked, cli.typed)),
      ...modelFindings(looked, cli.typed),
    ];
  } catch (error) {
    return [{ name: "config", state: "fault", found: (error as Error).message, enables: "fix it; commands refuse it" }];
  }
}

function trustFinding({ controls, untrusted }: Looked, cli: Cli): Finding {
  const lines = untrusted().flatMap((control) => control.lines.map(plainLine));
  if (lines.length > 0)
    return {
      name: "trust",
      state: "missing",
      found: `this folder is not trusted, and wants: ${lines.join("; ")}`,
      enables: `look at it first; then: ${cli.typed("loopwright doctor --trust")}`,
    };
  const isAsking = controls.some((control) => control.lines.length > 0);
  const found = isAsking ? "this folder is trusted as it is now" : "nothing in this folder needs it";
  return { name: "trust", state: "ok", found, enables: "commands, loops and keys that the folder's files name" };
}
