// `loopwright run`, `resume` and `demo`: what starts a run, or goes on with one.

import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, resolve as resolvePath } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { type GivenFile, type Json, type RunRecord, UsageError, usage } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { commandContext } from "../loops/command-context.ts";
import { findPackage, packagesWith } from "../loops/find-package.ts";
import { defaultLoops } from "../loops/sources.ts";

/** Starts a run of a loop by its name. */
export async function run(cli: Cli): Promise<number> {
  const given = cli.text("input");
  const input = given === undefined ? null : await readInput(given);
  const slug = cli.text("slug");
  const found = await findPackage(cli.arguments[0]!, await cli.configuration());
  await using context = commandContext(cli, found);
  try {
    return (await context.driver.start(input, slug === undefined ? {} : { slug })).exitCode;
  } catch (error) {
    if (given !== undefined || !(error instanceof UsageError) || !error.message.startsWith("input")) throw error;
    const [command] = found.package.commands;
    const own = command ? `, or use its command: loopwright ${command.name}` : "";
    throw usage(`${error.message}`, `give it with --input JSON${own}`);
  }
}

/** The input: JSON as it is given, or from a file. */
async function readInput(given: string): Promise<Json> {
  const path = given.startsWith("@") ? given.slice(1) : undefined;
  const what = path === undefined ? "--input" : `--input: ${path === "-" ? "standard input" : path}`;
  const text = path === undefined ? given : path === "-" ? await readAll(process.stdin) : await readInputFile(path);
  if (path !== undefined && text.trim() === "") throw usage(`${what} is empty`);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch (error) {
    throw usage(`${what} is not JSON: ${(error as Error).message}`);
  }
}

async function readInputFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw usage(`--input: there is no file ${path}`);
    throw usage(`--input: ${path} ${code === "EISDIR" ? "is a folder" : `cannot be read (${code})`}`);
  }
}

/** Goes on with a run from its last checkpoint. */
export async function resume(cli: Cli): Promise<number> {
  if (cli.arguments.length > 0 && cli.isSet("continue"))
    throw usage(
      "name a run, or give --continue for the newest one, not both",
      `${cli.typed("loopwright runs")} lists them`,
    );
  const file = fileWith(cli);
  const record = await runToResume(cli);
  await using context = commandContext(cli, await findPackage(record.loop, await cli.configuration()));
  const { exitCode } = await context.driver.resume(record, { take: cli.isSet("take"), ...(file && { file }) });
  return exitCode;
}

/** What a person has made, as --with names it. */
function fileWith(cli: Cli): GivenFile | undefined {
  const path = cli.text("with");
  if (path === undefined) return undefined;
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw usage(`there is no file ${resolvePath(path)}`, "--with names what you have made");
  return { name: basename(path), bytes: readFileSync(path) };
}

async function runToResume(cli: Cli): Promise<RunRecord> {
  const { project, run } = await cli.existingRun();
  await using _ = project;
  const record = await project.record(run);
  if (record.parent) throw usage(`run ${run} belongs to ${record.parent.run}; resume that one`);
  return record;
}

/** Runs a loop on its shipped task, offline. */
export async function demo(cli: Cli): Promise<number> {
  const shipped = defaultLoops();
  const withDemo = Object.keys(packagesWith("demo", shipped));
  const [given] = cli.arguments;
  const name = given ?? withDemo[0]!;
  const { loops } = await cli.look();
  // A loop of the folder's own that has the name is meant only where it was named.
  const isOfFolder = given !== undefined && Object.hasOwn(loops, name) && loops[name]!.control !== undefined;
  if (isOfFolder) await cli.configuration();
  else cli.doWithoutFolder();
  const found = await findPackage(name, { loops: given === undefined ? shipped : loops });
  const { demo: shown } = found.package;
  if (!shown) {
    const others = withDemo.map((each) => `\`loopwright demo ${each}\``);
    throw usage(`the loop '${name}' has no demo; these have one: ${others.join(", ")}`);
  }
  await using context = commandContext(shown.cassette === undefined ? cli : cli.replaying(shown.cassette), found);
  return await shown.run(context);
}
