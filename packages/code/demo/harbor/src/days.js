const MS_OF_A_DAY = 24 * 60 * 60 * 1000;

/** The number of a day, counted from 1970-01-01; throws where the text is none. */
export function dayNumber(text) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) throw new TypeError(`'${text}' is no day: write it as 2026-07-03`);
  const [year, month, day] = match.slice(1).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.toISOString().slice(0, 10) !== text) throw new RangeError(`there is no day ${text}`);
  return date.getTime() / MS_OF_A_DAY;
}

/** How many nights lie between two days. */
export function nightsBetween(from, to) {
  return dayNumber(to) - dayNumber(from);
}
