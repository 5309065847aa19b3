// The score: how near silhouettes are to their references. The search and the evaluator share this definition.
//
//   overall = the lesser of the mean overlap and the weighted mean of the categories
//
// So it never exceeds the mean overlap of the silhouettes, whatever else is right.

import { contourDistance, extentOf, type Mask, type MeshCheck, overlap } from "@loopwright/mesh";
import type { Feedback, HullTask } from "../task/task.ts";

/** The views that a search needs references of. */
export const referenceViews = ["front", "side", "top"] as const;
export type ReferenceView = (typeof referenceViews)[number];
export type Masks = Readonly<Record<ReferenceView, Mask>>;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type CategoryScores = Feedback["category_scores"];

/** What one view shows, each from 0 to 1. */
export interface ViewScores {
  /** Intersection over union. */
  readonly overlap: number;
  /** How near width and height are to the reference's. */
  readonly proportions: number;
  /** How near the contours lie to each other. */
  readonly detail: number;
}

const weights: CategoryScores = { shape_accuracy: 0.5, proportions: 0.2, detail_level: 0.2, surface_quality: 0.1 };
/** Contours that lie apart by this share of the reference's diagonal have no detail in common. */
const NO_DETAIL = 0.05;
/** This share of faulty edges or triangles makes a surface worthless. */
const NO_SURFACE = 0.1;

/** What a view is worth beside its reference. */
export function scoreView(seen: Mask, reference: Mask): ViewScores {
  const wanted = extentOf(reference);
  return {
    overlap: overlap(seen, reference),
    proportions: proportionsOf(extentOf(seen), wanted),
    detail: distanceToDetail(contourDistance(seen, reference), diagonalOf(wanted)),
  };
}

/** The whole score of some views and a surface; 0 without a view. */
export function scoreViews(views: Readonly<Record<string, ViewScores>>, surface: number) {
  const all = Object.values(views);
  const mean = (pick: (view: ViewScores) => number) =>
    all.reduce((sum, view) => sum + pick(view), 0) / Math.max(1, all.length);
  const categories: CategoryScores = {
    shape_accuracy: mean((view) => view.overlap),
    proportions: mean((view) => view.proportions),
    detail_level: mean((view) => view.detail),
    surface_quality: surface,
  };
  const names = Object.keys(weights) as (keyof CategoryScores)[];
  // Taken off from 1, so that a perfect match is 1 and not a rounding below it.
  const weighted = 1 - names.reduce((sum, name) => sum + weights[name] * (1 - categories[name]), 0);
  const meanOverlap = categories.shape_accuracy;
  return { overall: Math.min(meanOverlap, weighted), meanOverlap, categories };
}
export type Score = ReturnType<typeof scoreViews>;

/** The detail that a mean distance of contours leaves, in pixels of a reference with this diagonal. */
export function distanceToDetail(distance: number, diagonal: number): number {
  return diagonal > 0 ? Math.max(0, 1 - distance / (NO_DETAIL * diagonal)) : 0;
}

/** The diagonal of an extent, in pixels. */
export function diagonalOf(extent: Size | undefined): number {
  return extent ? Math.sqrt(extent.width ** 2 + extent.height ** 2) : 0;
}

/** How near width and height are to each other, by their ratios. */
export function proportionsOf(a: Size | undefined, b: Size | undefined): number {
  if (!a || !b) return a === b ? 1 : 0;
  const ratio = (x: number, y: number) => Math.min(x, y) / Math.max(x, y);
  return (ratio(a.width, b.width) + ratio(a.height, b.height)) / 2;
}

/** What a surface is worth: 1 without a fault, 0 inside out or with a tenth of it faulty. Where it may be open it has no volume. */
export function scoreSurface(check: MeshCheck, closed: HullTask["closed"] = "required"): number {
  const mayBeOpen = closed !== "required" && check.boundaryEdges > 0;
  if (check.triangles === 0 || !(mayBeOpen || check.volume > 0)) return 0;
  const edges = (check.triangles * 3) / 2;
  const open = closed === "any" ? 0 : check.boundaryEdges;
  const bad = (open + check.nonManifoldEdges + check.flippedEdges) / edges;
  return Math.max(0, 1 - (bad + check.degenerateTriangles / check.triangles) / NO_SURFACE);
}
