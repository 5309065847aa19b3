// A score in words: reasons, findings and displays show it alike.

/** A score with three decimals, or as many as are wanted; one below 1 is never rounded up, so that none looks as if it passed. */
export function showScore(score: number, decimals = 3): string {
  const near = Number(score.toFixed(decimals));
  // What lies less than that below is meant to be the same, unless it would look perfect.
  const noise = near < 1 ? 1e-9 : 0;
  const isRaised = score > 0 && score < 1 && near - score > noise;
  // A score just below 0 has no sign of its own.
  return (isRaised ? near - 10 ** -decimals : near).toFixed(decimals).replace(/^-(0\.0+)$/, "$1");
}
