// Descriptors that this process was given by whoever started it: without care, every job would hold them too.

import type { StdioOptions } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

type Stdio = Extract<StdioOptions, readonly unknown[]>;

const CLOSE_ON_EXEC = 0o2000000;

/** The open descriptors, beyond the first three, that a program started by this process would inherit. */
export function inheritedDescriptors(): number[] {
  const numbers = readEntries().map(Number);
  return numbers.filter((descriptor) => descriptor > 2 && !(readFlags(descriptor) & CLOSE_ON_EXEC));
}

/** The stdio of a program that inherits none of them: each is covered by a harmless one. */
export function coverDescriptors(stdio: Stdio, inherited: readonly number[], cover: number): Stdio {
  const covered: Stdio = [...stdio];
  for (const descriptor of inherited) {
    while (covered.length <= descriptor) covered.push("ignore");
    if (descriptor >= stdio.length) covered[descriptor] = cover;
  }
  return covered;
}

function readEntries(): string[] {
  try {
    return readdirSync("/proc/self/fd");
  } catch {
    return [];
  }
}

function readFlags(descriptor: number): number {
  try {
    const text = readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1");
    return Number.parseInt(text.match(/^flags:\s+(\d+)/m)?.[1] ?? "", 8);
  } catch {
    // The descriptor that listed the others.
    return CLOSE_ON_EXEC;
  }
}
