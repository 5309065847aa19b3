// `loopwright run`: starts a run of a loop by its name.

import { readFile } from "node:fs/promises";
import { type Json, usage } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { commandContext } from "../loops/command-context.ts";
import { findPackage } from "../loops/find-package.ts";

export async function run(cli: Cli): Promise<number> {
  const input = await readInput(cli.text("input"));
  const slug = cli.text("slug");
  await using context = commandContext(cli, await findPackage(cli.arguments[0]!, await cli.configuration()));
  const { exitCode } = await context.driver.start(input, slug === undefined ? {} : { slug });
  return exitCode;
}

/** The input: JSON as it is given, or from a file. */
async function readInput(given: string | undefined): Promise<Json> {
  if (given === undefined) return null;
  const text = given.startsWith("@") ? await readInputFile(given.slice(1)) : given;
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw usage(`--input is not JSON: ${(error as Error).message}`);
  }
}

async function readInputFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw usage(`--input: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
