// A folder that came from somebody else, and says so when something of it is run.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { type CliOptions, type Ended, Folder, type Words } from "./cli.ts";

/** A folder that nobody has trusted. */
export class Foreign extends Folder {
  override cli(args: Words, options: Partial<CliOptions> = {}): Promise<Ended> {
    return super.cli(args, { isTrusted: false, ...options });
  }

  /** A line for a shell that leaves a mark in the folder. */
  get mark(): string {
    return `touch ${join(this.dir, "ran")}`;
  }

  get hasRun(): boolean {
    return this.has("ran");
  }

  /** Takes the mark away. */
  forget(): void {
    rmSync(join(this.dir, "ran"));
  }
}

/** A folder with a configuration and further files, in which MARK stands for a line that leaves a mark. */
export async function foreign(yaml: string, more: Readonly<Record<string, string>> = {}): Promise<Foreign> {
  const at = new Foreign();
  const texts = { "loopwright.yaml": yaml, ...more };
  for (const [path, text] of Object.entries(texts)) await at.write(path, text.replaceAll("MARK", at.mark));
  return at;
}

/** A loop that leaves a mark as soon as it is imported. */
export const marking = `
import { execSync } from "node:child_process";
import { defineLoop, pass } from "loopwright";
import { z } from "zod";
execSync("MARK");
export default defineLoop({
  name: "mine", version: 1, input: z.any(), state: z.object({}), initial: () => ({}), start: "go", iteration: "go",
  phases: { go: { to: [], run: async (_state, ctx) => { ctx.verdict(pass(1, "good")); return ctx.end("done"); } } },
});
`;
