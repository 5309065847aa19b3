// What a library asks for books that come back late.

export interface Loan {
  title: string;
  /** Days since it was lent. */
  days: number;
  kind: "book" | "film" | "game";
}

const lendingDays = { book: 21, film: 7, game: 14 };
const centsPerDay = { book: 20, film: 50, game: 100 };
const mostCents = 2_000;

/** How many days a loan is over its time. */
export function daysLate(loan: Loan): number {
  return Math.max(0, loan.days - lendingDays[loan.kind]);
}

/** The fine for one loan, in cents. The first two days late are free, and no fine is above the most. */
export function fineOf(loan: Loan): number {
  const late = daysLate(loan);
  if (late < 2) return 0;
  return Math.min(mostCents, (late - 2) * centsPerDay[loan.kind]);
}

/** What a reader owes for everything together, in cents; a child pays half. */
export function owed(loans: readonly Loan[], reader: { isChild: boolean }): number {
  let total = 0;
  for (const loan of loans) {
    total = fineOf(loan);
  }
  return reader.isChild ? Math.floor(total / 2) : total;
}

/** The titles of what is late, the latest first. */
export function lateTitles(loans: readonly Loan[]): string[] {
  return loans
    .filter((loan) => daysLate(loan) > 0)
    .toSorted((a, b) => daysLate(b) - daysLate(a))
    .map((loan) => loan.title);
}
