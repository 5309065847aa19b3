// The entry: finds the command, runs it, and turns whatever happens into one message and an exit code.

import { LoopwrightError, UsageError } from "@loopwright/core/look";
import { plainText, Terminal, wantsColor } from "@loopwright/terminal";
import { type CommandTable, commandFirst, readArguments } from "./arguments/read-arguments.ts";
import { Cli } from "./cli.ts";
import { headed } from "./display/words.ts";
import { type FoundCommand, findCommand } from "./loops/find-command.ts";

/** Runs a command line and ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<never> {
  silenceExperiments();
  const code = await dispatch(args).catch((error) => report(error));
  await Promise.all([process.stdout, process.stderr].map(written));
  // An effect that did not listen to its signal may still be at something; the run has stopped without it.
  process.exit(code);
}

/** Waits until what was printed has left the process. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

async function dispatch(args: readonly string[]): Promise<number> {
  const { command, rest, flags } = commandFirst(args);
  const terminal = new Terminal({
    isQuiet: flags.quiet === true,
    isJson: flags.json === true,
    hasColor: wantsColor(flags["no-color"] === true, process.stdout),
  });
  const isHelp = command === "help";
  const early = new Cli(terminal, { arguments: [], flags: { ...flags, ...(isHelp && { help: true }) } });
  const asked = isHelp ? rest.find((word) => !word.startsWith("-")) : command;
  if (asked === undefined) return showHelp(early);
  const found = await findCommand(asked, early);
  if (isHelp) return showHelp(early, found);
  const table: CommandTable = "own" in found ? found.own : found.command;
  const typed = readArguments(table, rest);
  if (typed.flags.help) return showHelp(early, found);
  const code = await runOrAsk(found, new Cli(terminal, typed));
  await written(process.stdout);
  return terminal.fault && code === 0 ? 1 : code;
}

/** Runs a command; where the beginning of an id fits several runs, and a person is there, it is run for the one that they mean. */
async function runOrAsk(found: FoundCommand, cli: Cli): Promise<number> {
  try {
    return await runCommand(found, cli);
  } catch (error) {
    if (!(error instanceof UsageError && error.code === "RUN_AMBIGUOUS" && cli.canAsk)) return report(error, cli);
    const { prefix, runs } = error.data as { prefix: string; runs: string };
    const { whichRun } = await import("./drive/questions.ts");
    const meant = await whichRun(cli.terminal, prefix, runs.split(" "));
    return meant === undefined ? report(error, cli) : runOrAsk(found, cli.withArgument(prefix, meant));
  }
}

async function runCommand(found: FoundCommand, cli: Cli): Promise<number> {
  // A configuration that is wrong has nothing that could be trusted, and keeps no one from looking at runs.
  if (cli.isSet("trust")) await cli.look().catch(() => {});
  await using outbox = cli.outbox;
  if (!cli.isSet("dry-run")) outbox.start();
  if ("own" in found) return await (await found.own.load())(cli);
  const { commandContext } = await import("./loops/command-context.ts");
  await using context = commandContext(cli, found.found);
  return await found.command.run(context);
}

/** The help of a command, or of all. The project's own loops are named there, and not loaded. */
async function showHelp({ dir }: Cli, found?: FoundCommand): Promise<number> {
  const [{ mainHelp, commandHelp }, { defaultPackages }] = await Promise.all([
    import("./arguments/help.ts"),
    import("./loops/find-command.ts"),
  ]);
  if (found && "command" in found) console.log(commandHelp(found.command));
  else if (found) console.log(commandHelp(found.own, found.own.rows ? await defaultPackages() : []));
  else console.log(mainHelp(await defaultPackages(), await projectLoops(dir)));
  return 0;
}

/** The names of the project's own loops; none where its configuration cannot be read. */
async function projectLoops(dir: string): Promise<{ name: string; isPackage: boolean }[]> {
  const { loadLoops, defaultLoops, fileOf } = await import("./loops/sources.ts");
  const known = defaultLoops();
  const loops = await loadLoops(dir).catch(() => ({}));
  return Object.entries(loops)
    .filter(([name]) => !Object.hasOwn(known, name))
    .map(([name, source]) => ({ name, isPackage: fileOf(source) === undefined }));
}

/** One message for a person, and the exit code: 2 for wrong words, 1 for a fault. */
function report(error: unknown, cli?: Cli): number {
  const run = error instanceof Error && "stoppedRun" in error ? String(error.stoppedRun) : undefined;
  const told = error instanceof Error ? error.message : String(error);
  const message = cli?.told(told) ?? told;
  // What a loop threw comes back from the journal as one of ours, under its own name.
  const isOurs = error instanceof LoopwrightError && error.name === error.constructor.name;
  const isNamed = !isOurs && error instanceof Error && error.name !== "Error";
  process.stderr.write(`loopwright: ${plainText(isNamed ? headed(error.name, message) : message)}\n`);
  if ((!isOurs && !isDenied(error)) || process.env.LOOPWRIGHT_DEBUG === "1")
    process.stderr.write(`${plainText(stackOf(error))}\n`);
  const code = error instanceof LoopwrightError ? error.code : "";
  if (run !== undefined) process.stderr.write(`${nextStep(run, code, cli)}\n`);
  return error instanceof UsageError ? 2 : 1;
}

/** What to do about a run that a fault has stopped. */
function nextStep(run: string, code: string, cli?: Cli): string {
  const typed = (command: string) => cli?.typed(command) ?? command;
  const resume = (more = "") => typed(`loopwright resume ${run}${more}`);
  if (code === "LEASE_HELD") return `Take it over with: ${resume(" --take")}`;
  if (code === "LEASE_LOST")
    return `Nothing is lost: it goes on there. See how it stands with: ${typed(`loopwright explain ${run}`)}`;
  if (code === "LOOP_CHANGED") return `What run ${run} had recorded is safe.`;
  return `What run ${run} had recorded is safe. Fix the cause, then go on with: ${resume()}`;
}

/** Whether the system denied us a path of the user's: its message names it, and our stack would say nothing more. */
function isDenied(error: unknown): boolean {
  return (
    error instanceof Error && "path" in error && "code" in error && ["EACCES", "EPERM"].includes(String(error.code))
  );
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
