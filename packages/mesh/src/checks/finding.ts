// What a check is, and the words of what it finds.

import type { Finding } from "@loopwright/core";
import type { Mesh } from "../mesh.ts";
import type { MeshFigures } from "./figures.ts";
import type { Limits } from "./limits.ts";

/** Looks at a mesh and what was measured of it; gives a finding where something is wrong. */
export type Check = (figures: MeshFigures, limits: Limits, mesh: Mesh) => Finding | undefined;

export function hard(code: string, message: string, fix: string): Finding {
  return { code, severity: "hard", priority: 1, message, fix };
}

export function soft(priority: Finding["priority"], code: string, message: string, fix: string): Finding {
  return { code, severity: "soft", priority, message, fix };
}

export function share(some: number, whole: number): number {
  return whole === 0 ? 0 : some / whole;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

export function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

export function meters(length: number): string {
  return `${round(length)} m`;
}

export function round(value: number): number {
  return Number(value.toPrecision(3));
}
