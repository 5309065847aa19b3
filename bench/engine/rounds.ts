// Interleaved rounds: every subject does the same work in turn, again and again, so that what else the machine does
// falls on all of them alike. A subject's figure is the median over rounds of its median within a round.
//
// The rounds before the first that counts bring every database to its steady state (a log of full length that is
// written over) and let the code be compiled.

import type { Figures } from "../run.ts";
import { median, rounded, say } from "./figures.ts";
import { LangGraphPeer } from "./langgraph-peer.ts";
import { type Round, subjectsIn } from "./subjects.ts";
import { textsOf } from "./texts.ts";

const ITERATIONS = 40;
const WARM_UP = 6;

/** The time of a phase and of an effect, beside bare commits and LangGraph. */
export async function measureRounds(folder: string, rounds: number): Promise<Figures> {
  const peer = await LangGraphPeer.start(folder);
  const times = await runRounds(folder, rounds, peer);
  peer?.stop();
  const of = (name: string) => times.get(name);
  const phase = of("phase")!;
  const bare = of("bare-commit")!;
  const ratio = (other: number | undefined) => (other === undefined ? null : rounded(phase / other, 3));
  return {
    us_per_phase: rounded(phase),
    us_per_phase_with_folder: rounded(of("phase-with-folder")!),
    us_per_bare_commit: rounded(bare),
    overhead_us: rounded(phase - bare),
    ratio_to_sqlite_commit: rounded(phase / bare, 3),
    us_per_langgraph_node: figure(of("langgraph-full")),
    us_per_langgraph_node_as_shipped: figure(of("langgraph-as-shipped")),
    ratio_to_langgraph: ratio(of("langgraph-full")),
    ratio_to_langgraph_as_shipped: ratio(of("langgraph-as-shipped")),
    us_per_effect: rounded(of("effect")!),
    us_per_two_commits: rounded(of("two-commits")!),
    ratio_effect_to_two_commits: rounded(of("effect")! / of("two-commits")!, 3),
  };
}

async function runRounds(
  folder: string,
  rounds: number,
  peer: LangGraphPeer | undefined,
): Promise<Map<string, number>> {
  const subjects = await subjectsIn(folder, peer);
  const medians = new Map([...subjects.keys()].map((name) => [name, [] as number[]]));
  for (let count = 1 - WARM_UP; count <= rounds; count++) {
    const given: Round = { seed: `round ${count}`, texts: textsOf(`round ${count}`, ITERATIONS) };
    for (const [name, subject] of subjects) {
      const middle = median(await subject.round(given));
      if (count > 0) medians.get(name)!.push(middle);
    }
  }
  for (const subject of subjects.values()) await subject.close();
  for (const [name, values] of medians) {
    const [low, high] = [Math.min(...values), Math.max(...values)].map(Math.round);
    say(`${name}: ${Math.round(median(values))} us (rounds from ${low} to ${high})`);
  }
  return new Map([...medians].map(([name, values]) => [name, median(values)]));
}

function figure(value: number | undefined): number | null {
  return value === undefined ? null : rounded(value);
}
