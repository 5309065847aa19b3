// `loopwright mcp blender`: the server, in the folder that the command is run in.

import { resolve } from "node:path";
import type { CommandContext } from "@loopwright/core";
import { openSandbox } from "@loopwright/sandbox";
import { type ServeOptions, serve } from "../mcp/serve.ts";

export async function runMcp({ terminal, dir, text, number }: CommandContext): Promise<number> {
  const { stdin, stdout } = terminal;
  const say = (line: string) => terminal.warn(line);
  await serve({ ...(await serverOptions({ text, number }, dir, say)), stdin, stdout, say });
  return 0;
}

/** What the flags say, with paths seen from a folder. */
export async function serverOptions(
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
