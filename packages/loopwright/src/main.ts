// The entry: finds the command, runs it, and turns whatever happens into one message and an exit code.

import { LoopwrightError, UsageError } from "@loopwright/core";
import { commandFirst, findCommand, readArguments } from "./arguments/read-arguments.ts";
import { Cli } from "./cli.ts";
import { plainText, Terminal, wantsColor } from "./display/terminal.ts";

/** Runs a command line and ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<never> {
  silenceExperiments();
  const code = await dispatch(args).catch(report);
  await Promise.all([process.stdout, process.stderr].map(written));
  // An effect that did not listen to its signal may still be at something; the run has stopped without it.
  process.exit(code);
}

/** Waits until what was printed has left the process. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

async function dispatch(args: readonly string[]): Promise<number> {
  const [name, ...rest] = commandFirst(args);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return showHelp(rest[0]);
  if (name === "--version" || name === "-v") return showVersion();
  const command = findCommand(name);
  const parsed = readArguments(command, rest);
  if (parsed.flags.help) return showHelp(command.name);
  const terminal = new Terminal({
    isQuiet: parsed.flags.quiet === true,
    isJson: parsed.flags.json === true,
    hasColor: wantsColor(parsed.flags["no-color"] === true, process.stdout),
  });
  const { run } = await command.load();
  const code = await run(new Cli(terminal, parsed));
  return terminal.fault && code === 0 ? 1 : code;
}

async function showHelp(name: string | undefined): Promise<number> {
  const { mainHelp, commandHelp } = await import("./arguments/help.ts");
  console.log(name === undefined ? mainHelp() : commandHelp(findCommand(name)));
  return 0;
}

async function showVersion(): Promise<number> {
  const { readFile } = await import("node:fs/promises");
  const text = await readFile(new URL("../package.json", import.meta.url), "utf8");
  console.log(JSON.parse(text).version);
  return 0;
}

/** One message for a person, and the exit code: 2 for wrong words, 1 for a fault. */
function report(fault: unknown): number {
  const run = fault instanceof Error && "run" in fault ? String(fault.run) : undefined;
  const error = run === undefined ? fault : (fault as Error).cause;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`loopwright: ${plainText(message)}\n`);
  const isOurs = error instanceof LoopwrightError;
  if (!isOurs || process.env.LOOPWRIGHT_DEBUG === "1") process.stderr.write(`${plainText(stackOf(error))}\n`);
  if (run !== undefined) process.stderr.write(`${wayOn(run, isOurs ? error.code : "")}\n`);
  return error instanceof UsageError ? 2 : 1;
}

/** What to do about a run that a fault has stopped. */
function wayOn(run: string, code: string): string {
  if (code === "LEASE_HELD") return `Take it over with: loopwright resume ${run} --take`;
  if (code === "LOOP_CHANGED") return `What run ${run} had recorded is safe.`;
  return `What run ${run} had recorded is safe. Mend the cause, then go on with: loopwright resume ${run}`;
}

function stackOf(error: unknown): string {
  return error instanceof Error && error.stack ? error.stack.split("\n").slice(1).join("\n") : "";
}

/** Node warns of features that we use on purpose; what concerns the user is passed on as one line. */
function silenceExperiments(): void {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    // Where both NO_COLOR and FORCE_COLOR are set, Node says that the second wins; here the first does.
    if (warning.name === "ExperimentalWarning" || warning.message.startsWith("The 'NO_COLOR' env")) return;
    process.stderr.write(`loopwright: warning: ${plainText(warning.message)}\n`);
  });
}
