// The playbook: what each code means, how urgent it is, and what to do, step by step, with the asset's own figures.

import { readFileSync } from "node:fs";
import type { Finding } from "@loopwright/core";
import { z } from "zod";
import { playbookFile } from "../folders.ts";
import { parseYaml } from "../gate/yaml-file.ts";
import { type Code, codes, entryOf } from "./codes.ts";

const Entry = z.strictObject({
  severity: z.enum(["hard", "soft"]),
  /** 1 first: nothing else counts while it stands; 2 structure, 3 quality, 4 polish. */
  priority: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  means: z.string().min(1),
  steps: z.array(z.string().min(1)).min(1),
});
export type Entry = z.output<typeof Entry>;

/** What instructions are filled with: numbers and words of the asset and its gate, by name. */
export type Figures = Readonly<Record<string, number | string>>;

let read: Readonly<Record<Code, Entry>> | undefined;

/** All entries, by code. */
export function playbook(): Readonly<Record<Code, Entry>> {
  read ??= parseYaml(
    readFileSync(playbookFile, "utf8"),
    z.strictObject(Object.fromEntries(codes.map((code) => [code, Entry]))),
    playbookFile,
  ) as Record<Code, Entry>;
  return read;
}

/** What to do about a finding: its own figures first, then what it means and the steps. */
export function instructionsFor({ code, message, fix }: Finding, figures: Figures): string {
  const name = entryOf(code);
  const own = fix === undefined ? message : `${message}; ${fix}`;
  if (!name) return `${own}.`;
  const { means, steps } = playbook()[name];
  const lines = steps.map((step, at) => `${at + 1}. ${fillFigures(step, figures)}`);
  return [`${own}.`, fillFigures(means, figures), ...lines].join("\n");
}

/** A text with each {name} replaced by its figure; one that was not measured is said to be unknown. */
export function fillFigures(text: string, figures: Figures): string {
  return text.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(figures, name) ? figures[name]! : "(unknown)";
    return typeof value === "number" ? String(Number(value.toPrecision(3))) : value;
  });
}
