// Figures as findings say them.

export function percent(part: number): string {
  return `${Number((part * 100).toPrecision(3))} %`;
}

export function meters(length: number): number {
  return Number(length.toPrecision(3));
}

/** "1 wheel", "2 wheels"; with "has" and "have" where a verb follows: `counted(1, "wheel", "has|have")`. */
export function counted(count: number, name: string, verb?: `${string}|${string}`): string {
  const [one, many] = verb?.split("|").map((each) => ` ${each}`) ?? ["", ""];
  return count === 1 ? `1 ${name}${one}` : `${count} ${name}s${many}`;
}
