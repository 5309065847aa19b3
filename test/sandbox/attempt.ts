// An attempt to get out of the sandbox: a small program, how it must fail, and what must be true outside afterwards.

import { strict as assert } from "node:assert";
import { setTimeout as wait } from "node:timers/promises";
import type { Limits, Sandbox, SandboxOutcome } from "@loopwright/sandbox";
import { type Host, openHost } from "./host.ts";

export interface Attempt {
  title: string;
  /** Makes the workspace and the machine ready. */
  before?: (host: Host) => void;
  /** Programs, each a job of its own, one after the other. */
  programs: readonly Program[];
  readOnly?: readonly string[];
  limits?: Partial<Limits>;
  stdin?: string;
  /** What the last job's output has in it: the refusal, so that no attempt fails for want of trying. */
  says?: RegExp;
  /** What has stopped the last job. */
  stopped?: RegExp;
  /** Looks from outside, at the machine and not at what the job says. */
  after?: (host: Host, outcome: SandboxOutcome) => void | Promise<void>;
  /** Whether it is harmless without a sandbox, and gets through there: then that is shown too. */
  worksOutside?: boolean;
  /** Whether only a control group counts what it takes, which root alone can make. */
  needsGroup?: boolean;
}

type Program = ["sh" | "python" | "node", string | ((host: Host) => string)];

/** What a program prints when it has got what it should not get. */
export const GOT_IN = "got in";

export const LIMITS: Limits = {
  wallMs: 20_000,
  cpuMs: 20_000,
  memoryBytes: 512 * 2 ** 20,
  processes: 128,
  fileBytes: 32 * 2 ** 20,
  outputChars: 20_000,
};

/** For Python: a system call by its numbers on x64 and arm64, which prints its error or that it got through. */
const PYTHON_PRELUDE = `
import ctypes, errno, os, platform, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(x64, arm64, *args):
    number = x64 if platform.machine() == "x86_64" else arm64
    if number is None: return print("EPERM")
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    print("${GOT_IN}" if result >= 0 else errno.errorcode[ctypes.get_errno()])
def trying(act):
    try:
        act()
        print("${GOT_IN}")
    except OSError as error:
        print(errno.errorcode.get(error.errno, error.errno), error)
`;

/** Makes an attempt, and throws where anything of it got through. */
export async function makeAttempt(attempt: Attempt, sandbox: Sandbox): Promise<void> {
  await using host = await openHost();
  attempt.before?.(host);
  const outcome = await runPrograms(attempt, sandbox, host);
  const told = `${attempt.title}: ${JSON.stringify({ ...outcome, output: outcome.output.slice(0, 2_000) })}`;
  assert.ok(!outcome.output.includes(GOT_IN), told);
  assert.ok(!outcome.output.includes(host.secret), told);
  if (attempt.says) assert.match(outcome.output, attempt.says, told);
  if (attempt.stopped) assert.match(outcome.stopped ?? "", attempt.stopped, told);
  else assert.equal(outcome.stopped, undefined, told);
  host.assertUntouched();
  await attempt.after?.(host, outcome);
}

/** Whether an attempt gets through where nothing holds it. */
export async function getsThrough(attempt: Attempt, bare: Sandbox): Promise<boolean> {
  await using host = await openHost();
  attempt.before?.(host);
  const { output } = await runPrograms(attempt, bare, host);
  return output.includes(GOT_IN) || output.includes(host.secret) || host.isTouched();
}

async function runPrograms(attempt: Attempt, sandbox: Sandbox, host: Host): Promise<SandboxOutcome> {
  let outcome: SandboxOutcome | undefined;
  for (const [language, text] of attempt.programs) {
    const program = typeof text === "string" ? text : text(host);
    outcome = await sandbox.run({
      command: commandFor(language, program),
      workspace: host.workspace,
      readOnly: attempt.readOnly ?? [],
      limits: { ...LIMITS, ...attempt.limits },
      signal: AbortSignal.timeout(60_000),
      ...(attempt.stdin === undefined ? {} : { stdin: attempt.stdin }),
    });
  }
  // What was sent may still be on its way to a listener.
  await wait(5);
  return outcome!;
}

function commandFor(language: Program[0], program: string): string[] {
  if (language === "sh") return ["sh", "-c", program];
  if (language === "node") return ["node", "-e", program];
  return ["python3", "-c", PYTHON_PRELUDE + program];
}
