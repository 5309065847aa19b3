// `loopwright run`: starts a run of a loop by its name.

import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { type Json, UsageError, usage } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { commandContext } from "../loops/command-context.ts";
import { findPackage } from "../loops/find-package.ts";

export async function run(cli: Cli): Promise<number> {
  const input = await readInput(cli.text("input"));
  const slug = cli.text("slug");
  const found = await findPackage(cli.arguments[0]!, await cli.configuration());
  await using context = commandContext(cli, found);
  try {
    return (await context.driver.start(input, slug === undefined ? {} : { slug })).exitCode;
  } catch (error) {
    if (cli.text("input") !== undefined || !(error instanceof UsageError) || !error.message.startsWith("input"))
      throw error;
    const [command] = found.package.commands;
    const own = command ? `, or use its command: loopwright ${command.name}` : "";
    throw usage(`${error.message}`, `give it with --input JSON${own}`);
  }
}

/** The input: JSON as it is given, or from a file. */
async function readInput(given: string | undefined): Promise<Json> {
  if (given === undefined) return null;
  if (!given.startsWith("@")) return parseInput("--input", given);
  const path = given.slice(1);
  const place = path === "-" ? "standard input" : path;
  const text = (path === "-" ? await readAll(process.stdin) : await readInputFile(path)).replace(/^\uFEFF/, "");
  if (text.trim() === "") throw usage(`--input: ${place} is empty`);
  return parseInput(`--input: ${place}`, text);
}

function parseInput(what: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
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
