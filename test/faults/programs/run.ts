// Starts or resumes `fill` in a process of its own, and prints every durable event and then the result or the error.
//
//   node run.ts '{ "dir": …, "run"?: …, "input"?: … }'

import { LoopwrightError, openProject } from "loopwright";
import { fill, roomy } from "./loops.ts";

const { dir, run, input } = JSON.parse(process.argv[2]!) as {
  dir: string;
  run?: string;
  input: { rounds: number; bytes: number; files: boolean };
};

// Should its test be gone, it goes too.
setTimeout(() => process.exit(99), 60_000).unref();
try {
  const project = await openProject({
    dir,
    on: (event) => "seq" in event && say({ type: event.type, seq: event.seq, run: event.run }),
  });
  try {
    const result = await (run === undefined
      ? project.start(fill, input, { ceilings: roomy, seed: 1 })
      : project.resume(fill, run));
    say({ result });
  } finally {
    await project.close();
  }
} catch (error) {
  process.exitCode = 1;
  const isOwn = error instanceof LoopwrightError;
  say({ error: { isOwn, code: (error as LoopwrightError).code, message: (error as Error).message } });
}

function say(line: unknown): void {
  console.log(JSON.stringify(line));
}
