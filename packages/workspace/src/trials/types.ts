// Trying many versions of a program: which of its tests each one passes, found out in warm, sandboxed workers.
//
// A trial judges nothing: what it says passes is tested again by the runner before anyone believes it.

import type { FileBlock } from "../cell.ts";

/** What one test executed in the program as it stands. */
export interface TestCoverage {
  /** The test's name, as reports give it. */
  test: string;
  state: "passed" | "failed";
  ms: number;
  /** Lines of the workspace's own files that it executed, from 1, by path; what loading the program runs is each test's. */
  lines: Readonly<Record<string, readonly number[]>>;
}

/** A version to try: the files that differ from the workspace's own. */
export type Version = readonly FileBlock[];

/** Which tests a version is tried with: those that fail now, and those that pass now. */
export interface TrialTests {
  failing: readonly string[];
  passing: readonly string[];
}

/** What became of a version. */
export interface TrialOutcome {
  /** Which of the failing tests pass now. All of them are tried. */
  fixed: readonly string[];
  /** A passing test that fails now. They are tried only where a failing one was fixed, up to the first that fails. */
  broke?: string;
  /** Whether every test passes. */
  passes: boolean;
  /** Why it was not tried to its end: it took too long, its process died or asked too much, it does not load. */
  stopped?: "limit" | "died" | "unloadable";
}

/** How versions of a program are tried. */
export interface TrialOptions {
  tests: TrialTests;
  signal: AbortSignal;
  /** Called as outcomes come, in no certain order. */
  onOutcome?: (index: number, outcome: TrialOutcome) => void;
}

/** Warm workers on copies of one workspace; disposing ends them all. */
export interface Trials extends AsyncDisposable {
  /** How versions are tried: in warm workers, or each with a whole run of the runner, which is slow. */
  readonly way: "warm" | "whole";
  /** Every test of the program as it stands, each with what it executed. */
  coverage(options: { signal: AbortSignal }): Promise<TestCoverage[]>;
  /** The outcomes of versions in their order. A version that ends its worker costs that one version. */
  tryAll(versions: readonly Version[], options: TrialOptions): Promise<TrialOutcome[]>;
}
