// What the lines and documents of `--json` are made of.

import { defaultCeilings, outcomes } from "@loopwright/core";
import { z } from "zod";

export const json = z.json();
export const time = z.iso.datetime();
export const count = z.int().nonnegative();
export const score = z.number().min(0).max(1);
export const outcome = z.enum(Object.keys(outcomes) as [keyof typeof outcomes, ...(keyof typeof outcomes)[]]);
export const limits = z.strictObject(
  Object.fromEntries(Object.keys(defaultCeilings).map((name) => [name, z.number()])) as Record<string, z.ZodNumber>,
);
export const error = z.strictObject({
  name: z.string().describe("such as TypeError").optional(),
  code: z.string(),
  message: z.string(),
  stack: z.string().describe("where it was thrown").optional(),
});
const finding = z.strictObject({
  code: z.string(),
  severity: z.enum(["hard", "soft"]),
  priority: z.int().min(1).max(4),
  message: z.string(),
  fix: z.string().optional(),
});
export const verdict = z.strictObject({
  verdict: z.enum(["pass", "fail", "escalate"]),
  score,
  findings: z.array(finding),
  reason: z.string().min(1),
});
export const gate = {
  gate: z.string().describe("the gate's id"),
  name: z.string(),
  question: z.string(),
  choices: z.array(z.string()),
  default: z.string(),
  expires: time.optional(),
};
export const artifact = { path: z.string(), digest: z.string(), size: count };
export const files = z.array(z.strictObject(artifact));
