export type Ballot = readonly string[];

export interface Round {
  tally: Record<string, number>;
  eliminated: string | null;
}

export interface Outcome {
  winner: string | null;
  rounds: Round[];
}

function count(ballots: Ballot[], running: Set<string>, round: number): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const name of [...running].sort()) tally[name] = 0;
  for (const ballot of ballots) {
    const choice = ballot[Math.min(round, ballot.length - 1)];
    if (running.has(choice)) tally[choice] += 1;
  }
  return tally;
}

/** Instant runoff. Ties for the last place drop the alphabetically last name. */
export function runoff(ballots: Ballot[]): Outcome {
  const running = new Set(ballots.flat());
  const rounds: Round[] = [];

  while (running.size > 0) {
    const tally = count(ballots, running, rounds.length);
    const active = Object.values(tally).reduce((a, b) => a + b, 0);
    const ranking = Object.entries(tally).sort((a, b) => b[1] - a[1]);
    const [leader, votes] = ranking[0];
    if (votes * 2 > active || running.size === 1) {
      rounds.push({ tally, eliminated: null });
      return { winner: leader, rounds };
    }
    const [loser] = ranking[ranking.length - 1];
    running.delete(loser);
    rounds.push({ tally, eliminated: loser });
  }
  return { winner: null, rounds };
}
