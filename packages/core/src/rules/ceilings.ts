// Ceilings: limits that stop a run.
//
// L5: they are cumulative over resumes and child runs and checked before an act. Minutes count time with a writer
// active; time at a gate or with no process alive is free.

import { UsageError } from "../errors.ts";
import type { CeilingHit, Ceilings, Usage } from "../record/events.ts";

/** Which of the limits. */
export type CeilingName = keyof Ceilings;

/** The limits of a run where nobody said others. */
export const defaultCeilings: Readonly<Ceilings> = {
  iterations: 20,
  minutes: 720,
  tokens: 2_000_000,
  usd: 5,
  phaseMinutes: 120,
};

/** Nothing used. */
export const noUsage: Readonly<Usage> = { tokens: 0, usd: 0 };

/** Refuses a usage that is not a number of 0 or more: it could switch a ceiling off. */
export function checkUsage(usage: Partial<Usage>): Partial<Usage> {
  for (const [name, value] of Object.entries(usage ?? { usage: null })) {
    if (value !== undefined && (typeof value !== "number" || !Number.isFinite(value) || value < 0)) {
      throw new UsageError("USAGE_INVALID", `${name} used must be a number of 0 or more, not ${String(value)}`);
    }
  }
  return usage;
}

/** Two usages together; never more than a number that JSON has, for what it has not would read as nothing. */
export function addUsage(a: Usage, b: Partial<Usage>): Usage {
  const sum = (x: number, y = 0) => Math.min(x + y, Number.MAX_VALUE);
  return { tokens: sum(a.tokens, b.tokens), usd: sum(a.usd, b.usd) };
}

/** What is left of a usage beside another; never less than nothing. */
export function lessUsage(a: Usage, b: Partial<Usage>): Usage {
  const rest = (x: number, y = 0) => Math.max(x - y, 0);
  return { tokens: rest(a.tokens, b.tokens), usd: rest(a.usd, b.usd) };
}

/** Whether anything was used. */
export function isUsed({ tokens, usd }: Usage): boolean {
  return tokens > 0 || usd > 0;
}

/** Where a run stands against its ceilings, counting the act that is about to be made. */
export interface Spent extends Usage {
  iterations: number;
  minutes: number;
  phaseMinutes: number;
}

/** The first ceiling that an act would break. What is counted may reach its limit; time may not. */
export function ceilingHit(limits: Ceilings, spent: Spent): CeilingHit | undefined {
  const broken: Record<CeilingName, boolean> = {
    iterations: spent.iterations > limits.iterations,
    minutes: spent.minutes >= limits.minutes,
    tokens: spent.tokens > limits.tokens,
    usd: spent.usd > limits.usd,
    phaseMinutes: spent.phaseMinutes >= limits.phaseMinutes,
  };
  const ceiling = (Object.keys(broken) as CeilingName[]).find((name) => broken[name]);
  return ceiling && { ceiling, limit: limits[ceiling], used: spent[ceiling] };
}

/** The ceilings of a run: the defaults, lowered by the loop's own, and replaced where the user gave one. */
export function resolveCeilings(own: Partial<Ceilings> = {}, given: Partial<Ceilings> = {}): Ceilings {
  const resolved: Ceilings = { ...defaultCeilings };
  for (const name of Object.keys(resolved) as CeilingName[]) {
    if (own[name] !== undefined) resolved[name] = Math.min(resolved[name], limit(name, own[name]));
    if (given[name] !== undefined) resolved[name] = limit(name, given[name]);
  }
  return resolved;
}

/** Checks limits that a person gave: one that cannot be read never means "no limit". */
export function checkCeilings(given: Partial<Ceilings>): Partial<Ceilings> {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaultCeilings, name)) {
      const known = Object.keys(defaultCeilings).join(", ");
      throw new UsageError("CEILING_UNKNOWN", `there is no ceiling '${name}'; there are ${known}`);
    }
    limit(name as CeilingName, value);
  }
  return given;
}

function limit(name: CeilingName, value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
    const message = `the ceiling '${name}' must be a number of 0 or more, not ${String(value)}`;
    throw new UsageError("CEILING_INVALID", message);
  }
  return value;
}

/** A hit in words, with what to change. */
export function hitToReason({ ceiling, limit, used }: CeilingHit): string {
  const figure = (n: number) =>
    Number.isInteger(n) ? String(n).replace(/\B(?=(\d{3})+$)/g, ",") : String(Number(n.toPrecision(3)));
  const what = {
    iterations: limit === 1 ? "the one iteration is used" : `all ${figure(limit)} iterations are used`,
    minutes: `${figure(used)} of ${figure(limit)} active minutes are used`,
    tokens: `the next step would bring it to ${figure(used)} of ${figure(limit)} tokens`,
    usd: `the next step would bring it to $${figure(used)} of $${figure(limit)}`,
    phaseMinutes: `one phase has run for ${figure(used)} of ${figure(limit)} minutes`,
  }[ceiling];
  return `${what}; raise the ceiling '${ceiling}' to go on`;
}
