// What is measured in turn. Each subject does the same work and gives the microseconds of its samples.

import { join } from "node:path";
import type { Engine } from "@loopwright/core";
import { BareCommits } from "./bare-commits.ts";
import { type CallFeed, callsOf, effectLoop, iterationsFor } from "./effects.ts";
import { gaps } from "./figures.ts";
import type { Durability, LangGraphPeer } from "./langgraph-peer.ts";
import { draftLoop, emptyFeed } from "./loops.ts";
import { ceilings, engineOn, engineWithFolder } from "./ports.ts";
import { proseWriter } from "./prose.ts";
import { PHASES, TASK_SIZE, type Texts } from "./texts.ts";

const CALLS = 60;

/** What one round is given. */
export interface Round {
  seed: string;
  texts: readonly Texts[];
}

export interface Subject {
  round(given: Round): Promise<number[]>;
  close(): Promise<void>;
}

/** All subjects that there are, by name, with their databases in one folder. */
export async function subjectsIn(folder: string, peer: LangGraphPeer | undefined): Promise<Map<string, Subject>> {
  const file = (name: string) => join(folder, `${name}.db`);
  const subjects = new Map<string, Subject>([
    ["bare-commit", bareCommit(file("bare"))],
    ["phase", phase(await engineOn(file("phase")))],
    ["phase-with-folder", phase(await engineWithFolder(file("folder"), join(folder, "with-folder")))],
    ["two-commits", twoCommits(file("two"))],
    ["effect", effect(await engineOn(file("effect")))],
  ]);
  if (peer) {
    subjects.set("langgraph-full", langGraph(peer, "full"));
    subjects.set("langgraph-as-shipped", langGraph(peer, "as-shipped"));
  }
  return subjects;
}

/** A phase's patch as one row and one commit; a sample is the mean of an iteration's three. */
function bareCommit(path: string): Subject {
  const bare = new BareCommits(path);
  return {
    round: async ({ texts }) => {
      const patches = texts.map(({ draft, log, critique, line }) =>
        [{ draft }, { log }, { critique, history: [line] }].map((patch) => JSON.stringify(patch)),
      );
      return patches.map((iteration) => {
        const from = performance.now();
        for (const patch of iteration) bare.write(patch);
        return perPhase(performance.now() - from);
      });
    },
    close: async () => bare.close(),
  };
}

/** A phase of a run; a sample is the mean of an iteration's three. */
function phase(engine: Engine): Subject {
  const feed = emptyFeed();
  const loop = draftLoop(feed);
  const task = proseWriter("task")(TASK_SIZE);
  return {
    round: async ({ texts }) => {
      Object.assign(feed, { texts, marks: [] });
      await engine.start(loop, { task }, { ceilings: ceilings(texts.length) });
      return gaps(feed.marks).map(perPhase);
    },
    close: () => engine.close(),
  };
}

/** The same phases as nodes of a graph. */
function langGraph(peer: LangGraphPeer, durability: Durability): Subject {
  return {
    round: async ({ seed, texts }) => (await peer.round(durability, seed, texts.length)).map(perPhase),
    close: async () => {},
  };
}

/** An effect's intent and its result as two commits. */
function twoCommits(path: string): Subject {
  const bare = new BareCommits(path);
  return {
    round: async ({ seed }) =>
      callsOf(seed, CALLS).map(({ intent, answer }) => {
        const result = JSON.stringify({ result: answer });
        const from = performance.now();
        bare.write(intent);
        bare.write(result);
        return (performance.now() - from) * 1000;
      }),
    close: async () => bare.close(),
  };
}

/** An effect, from the call until its result is on disk and handed to the phase. */
function effect(engine: Engine): Subject {
  const feed: CallFeed = { calls: [], times: [] };
  const loop = effectLoop(feed);
  return {
    round: async ({ seed }) => {
      Object.assign(feed, { calls: callsOf(seed, CALLS), times: [] });
      await engine.start(loop, {}, { ceilings: ceilings(iterationsFor(feed.calls)) });
      return feed.times.map((ms) => ms * 1000);
    },
    close: () => engine.close(),
  };
}

/** Milliseconds of an iteration as microseconds of a phase. */
function perPhase(ms: number): number {
  return (ms * 1000) / PHASES;
}
