// The MCP server from its start to its end: as a command, and as a program of its own (`npx @loopwright/blender`).

import { once } from "node:events";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { parseArgs } from "node:util";
import { type CommandContext, type Flag, LoopwrightError, suggestion, UsageError, usage } from "@loopwright/core";
import { openSandbox } from "@loopwright/sandbox";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { flags } from "../loop-package.ts";
import { serveHttp } from "../mcp/http.ts";
import { makeServer, Session, type SessionOptions } from "../mcp/server.ts";
import { findBlender } from "../program.ts";
import { requireInputs } from "../worker/job.ts";

/** Serves as the words say; the number is the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  const say = (line: string) => console.error(line);
  try {
    const values = readFlags(words);
    if (values.help) {
      console.log(help());
      return 0;
    }
    const given = {
      text: (name: string) => values[name] as string | undefined,
      number: (name: string) => (values[name] === undefined ? undefined : Number(values[name])),
    };
    const { stdin, stdout } = process;
    await serve({ ...(await serverOptions(given, process.cwd(), say)), stdin, stdout, say });
    return 0;
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    say(error.message);
    return error instanceof UsageError ? 2 : 1;
  }
}

function readFlags(words: readonly string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(flags.map(({ name }) => [name, { type: "string" as const }]));
  const known = { ...options, help: { type: "boolean" as const, short: "h" } };
  let values: Record<string, string | boolean | undefined>;
  try {
    ({ values } = parseArgs({ args: [...words], options: known }));
  } catch (error) {
    const wrong = words.find((word) => word.startsWith("--") && !Object.hasOwn(known, word.slice(2).split("=", 1)[0]!));
    const names = Object.keys(known).map((name) => `--${name}`);
    const near = wrong ? suggestion(wrong, names) : "";
    throw usage(`${(error as Error).message.split(". ", 1)[0]}${near}`, "--help lists the flags");
  }
  for (const flag of flags) requireKind(flag, values[flag.name]);
  return values;
}

function requireKind({ name, kind }: Flag, value: string | boolean | undefined): void {
  if (typeof value !== "string") return;
  if (kind === "whole" && !/^\d{1,5}$/.test(value)) throw usage(`--${name} wants a whole number, not '${value}'`);
  if (Array.isArray(kind) && !kind.includes(value))
    throw usage(`--${name} is one of ${kind.join(", ")}, not '${value}'`);
}

function help(): string {
  const lines = flags.map(({ name, value, help }) => `  ${`--${name} ${value}`.padEnd(18)} ${help}`);
  return [
    "A sandboxed, headless Blender as an MCP server: on stdin and stdout, or with --http.",
    "",
    "  npx @loopwright/blender [flags]",
    "",
    ...lines,
    "",
    "LOOPWRIGHT_BLENDER names the program where it is not on the PATH, LOOPWRIGHT_MCP_TOKEN the token for --http.",
  ].join("\n");
}

export async function runMcp({ terminal, dir, text, number }: CommandContext): Promise<number> {
  const { stdin, stdout } = terminal;
  const say = (line: string) => terminal.warn(line);
  await serve({ ...(await serverOptions({ text, number }, dir, say)), stdin, stdout, say });
  return 0;
}

/** What the flags say, with paths seen from a folder. */
async function serverOptions(
  { text, number }: Pick<CommandContext, "text" | "number">,
  dir: string,
  say: (line: string) => void,
): Promise<Omit<ServeOptions, "stdin" | "stdout" | "say">> {
  const kind = text("sandbox") === "none" ? "none" : "bwrap";
  if (kind === "none") say("there is no sandbox: what a client has run in Blender runs with your rights");
  const [baseline, files, http] = [text("baseline"), text("files"), number("http")];
  const token = process.env.LOOPWRIGHT_MCP_TOKEN;
  return {
    sandbox: await openSandbox(kind),
    out: resolve(dir, text("out") ?? "blender-output"),
    ...(baseline === undefined ? {} : { baseline: resolve(dir, baseline) }),
    ...(files === undefined ? {} : { files: resolve(dir, files) }),
    ...(http === undefined ? {} : { http }),
    ...(token ? { token } : {}),
  };
}

interface ServeOptions extends SessionOptions {
  /** Listens on this port of the loopback address; stdio where it is left out. */
  http?: number;
  /** In place of a random one. */
  token?: string;
  stdin: Readable;
  stdout: Writable;
  /** Says something to whoever started it, beside the protocol. */
  say(line: string): void;
}

/** Serves until it is over; what is missing for it is said before that. */
export async function serve({ http, token, stdin, stdout, say, ...options }: ServeOptions): Promise<void> {
  requireInputs(options);
  const program = options.program ?? (await findBlender());
  if (!program.isTested) say(`Blender ${program.version} is not among the versions that this was tested with`);
  const session = new Session({ ...options, program });
  const served = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"].map((name) => once(process, name, { signal: served.signal }));
  const stopped = Promise.race(signals).catch(() => {});
  try {
    if (http === undefined) {
      const handle = serveStdio(() => makeServer(session), { transport: new StdioServerTransport(stdin, stdout) });
      say(`Blender ${program.version} on stdio; stop it with Ctrl-C or by closing its input`);
      await Promise.race([once(stdin, "close"), once(stdin, "end"), stopped]);
      await handle.close();
    } else {
      const server = await serveHttp(session, http, token);
      say(`Blender ${program.version} at ${server.url}`);
      say(token === undefined ? `its token: ${server.token}` : "its token is the one that you gave");
      await stopped;
      await server.close();
    }
  } finally {
    served.abort();
    await session.close();
  }
}
