// Templates, Blender scripts that build a good asset of a kind, another one for each seed; and the builder that asks no model: it begins with the template that the prompt asks for, and then does, for each code, what the
// playbook asks for, the most urgent first.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@loopwright/core";
import { templatesFolder } from "../folders.ts";
import { matchesIn } from "../requirements.ts";
import type { FabInput, Work } from "../task.ts";

export interface Program {
  plan: string;
  code: string;
  /** Whether the last asset is in the scene before it runs. */
  usesLast: boolean;
}

/** What to run next. */
export function searchProgram(input: FabInput & { work: Work }, seed: number): Program {
  const { work } = input;
  const codes = work.template === undefined && work.last ? mostUrgent(work.last.repairs) : [];
  return codes.length > 0 ? repairProgram(input, codes) : firstProgram(input, seed);
}

/** The codes to do something about now: those of one urgency; none where one of them can only be helped by beginning again. */
function mostUrgent(repairs: NonNullable<Work["last"]>["repairs"]): string[] {
  const own = repairs.filter(({ code }) => !/_BELOW_FLOOR$|^OVERALL_/.test(code));
  const first = Math.min(...own.map(({ priority }) => priority));
  const codes = own.filter(({ priority }) => priority === first).map(({ code }) => code);
  return codes.every((code) => repairable.has(code)) ? codes : [];
}

const repairs = script("repairs.py");
const parts = script("parts.py");
/** The codes that repairs.py knows. */
const repairable = new Set([...repairs.matchAll(/^ {4}"([A-Z_]+)": [a-z_]+,$/gm)].map(([, code]) => code!));

function repairProgram(input: FabInput & { work: Work }, codes: readonly string[]): Program {
  const figures = { ...input.work.last!.figures, ranges: input.gate.geometry, color: colorOf(input) };
  return {
    plan: `Repair the last asset: ${codes.join(", ")}.`,
    code: `${parts}\n\n${repairs}\n\nrepair(${JSON.stringify(codes)}, ${python(figures)})\n`,
    usesLast: true,
  };
}

function firstProgram(input: FabInput & { work: Work }, seed: number): Program {
  const { gate, work } = input;
  const { templates } = gate.iteration.template_fallback;
  const body = measuresOf(input).find((measure) => Object.hasOwn(templates, measure));
  const name = work.template ?? templates[body ?? work.kind] ?? templates[gate.kind];
  if (name === undefined) throw new Error(`there is no template for '${work.kind}' in the gate ${gate.gate_config_id}`);
  const color = colorOf(input);
  const paint = color ? `\n\n${repairs}\n\nrepaint(${python({ color })})\n` : "";
  return { plan: `Begin with ${name}.`, code: templateCode(name, { seed }) + paint, usesLast: false };
}

/** A value as Python writes it, by way of JSON: whatever it holds, it stays a value. */
function python(value: unknown): string {
  return `__import__("json").loads(${JSON.stringify(JSON.stringify(value))})`;
}

/** What the prompt asks for, of what the gate has words for. */
function measuresOf({ prompt = "", gate }: FabInput): string[] {
  return matchesIn(prompt, gate).flatMap(({ measure }) => measure ?? []);
}

/** The color that a prompt names, linear. */
function colorOf(input: FabInput): readonly number[] | undefined {
  const name = measuresOf(input).find((measure) => Object.hasOwn(paints, measure));
  return name === undefined ? undefined : paints[name];
}

const paints: Readonly<Record<string, readonly [number, number, number]>> = {
  red: [0.42, 0.012, 0.015],
  orange: [0.6, 0.14, 0.01],
  yellow: [0.65, 0.42, 0.02],
  green: [0.015, 0.11, 0.045],
  blue: [0.015, 0.055, 0.26],
  purple: [0.1, 0.02, 0.2],
  pink: [0.6, 0.15, 0.3],
  brown: [0.1, 0.04, 0.015],
  beige: [0.5, 0.4, 0.25],
  white: [0.72, 0.72, 0.7],
  black: [0.012, 0.012, 0.014],
  grey: [0.2, 0.205, 0.21],
};

/** The templates that come with the loop. */
export const templateNames = ["car_sedan_template_v001", "car_suv_template_v001", "chair_template_v001"] as const;

/** The code that builds a template's asset in Blender's scene, of ours or of a folder of yours. A template names what it needs in a line
 * `# needs: a.py b.py`. */
export function templateCode(name: string, { seed = 1, folder }: { seed?: number; folder?: string } = {}): string {
  if (folder === undefined && !(templateNames as readonly string[]).includes(name))
    throw new UsageError("TEMPLATE_UNKNOWN", `there is no template '${name}': use one of ${templateNames.join(", ")}`);
  const own = script(`${name}.py`, folder);
  const needs = /^# needs: (.+)$/m.exec(own)?.[1]?.trim().split(/\s+/) ?? [];
  return [...needs.map((file) => script(file, folder)), own, `build(${seed})\n`].join("\n\n");
}

function script(file: string, folder = templatesFolder): string {
  return readFileSync(join(folder, file), "utf8");
}
