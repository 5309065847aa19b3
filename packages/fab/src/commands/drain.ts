// `loopwright fab --drain`: every issue that is ready, each in a process of its own, so many at a time.

import { spawn } from "node:child_process";
import { type CommandContext, outcomes, usage } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import type { Issue } from "@loopwright/tracker";
import { type Asset, withTracker } from "../issues.ts";

export async function drain(context: CommandContext): Promise<number> {
  const workers = context.number("workers") ?? 1;
  if (context.arguments.length > 0) throw usage("--drain takes every issue that is ready: name none");
  const tried = new Set<string>();
  const ends: number[] = [];
  await withTracker(context, async (tracker) => {
    const next = async (): Promise<Issue<Asset> | undefined> => {
      const issue = (await tracker.ready()).find(({ id, asset }) => asset?.gate && !tried.has(id));
      if (issue) tried.add(issue.id);
      return issue;
    };
    const work = async () => {
      for (let issue = await next(); issue; issue = await next()) {
        context.output.say(`${issue.id}  ${plainLine(issue.title)}`);
        const code = await runOne(context, issue.id);
        ends.push(code);
        context.output.print(`${issue.id}  ${plainLine(issue.title)}  ${wordFor(code)}`);
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
  });
  context.output.say(`${ends.length} issues, ${ends.filter((code) => code === 0).length} passed`);
  return ends.find((code) => code !== 0 && code !== outcomes.escalated.exit) ?? 0;
}

/** The flags that an issue's own process is given too. */
const passed = ["profile", "builder", "max-minutes", "max-tokens", "max-usd"];

function runOne(context: CommandContext, issue: string): Promise<number> {
  const flags = passed.flatMap((flag) => (context.text(flag) === undefined ? [] : [`--${flag}`, context.text(flag)!]));
  const words = [...process.execArgv, process.argv[1]!, "fab", issue, ...flags, "--quiet", "--dir", context.dir];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

function wordFor(code: number): string {
  return Object.entries(outcomes).find(([, { exit }]) => exit === code)?.[0] ?? `exit ${code}`;
}
