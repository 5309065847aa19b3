const DAY_MS = 86_400_000;

export function parseDay(text: string): Date {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) throw new Error(`not a date: ${text}`);
  const [, y, m, d] = match;
  return new Date(Date.UTC(Number(y), Number(m) - 1, Number(d)));
}

export function formatDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** Moves a date by whole months; a day the target month lacks becomes its last day. */
export function addMonths(day: Date, months: number): Date {
  const year = day.getUTCFullYear();
  const month = day.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day.getUTCDate(), lastDay)));
}

/** The first `count` due dates of a subscription, counted from its anchor day. */
export function dueDates(start: string, count: number, everyMonths = 1): string[] {
  const anchor = parseDay(start);
  return Array.from({ length: count }, (_, i) => formatDay(addMonths(anchor, i * everyMonths)));
}

export function daysUntilDue(today: string, due: string): number {
  return Math.round((parseDay(due).getTime() - parseDay(today).getTime()) / DAY_MS);
}
