const LIMITS = {
  minute: [0, 59],
  hour: [0, 23],
  weekday: [0, 6],
} as const;

export type FieldName = keyof typeof LIMITS;

function parseRange(range: string, min: number, max: number): [number, number] {
  if (range === '*') return [min, max];
  const [from, to = from] = range.split('-');
  return [Number(from), Number(to)];
}

/** Expand one cron field, e.g. "1,10-20/5", into the sorted values it stands for. */
export function expandField(field: string, name: FieldName): number[] {
  const [min, max] = LIMITS[name];
  const values = new Set<number>();

  for (const part of field.split(',')) {
    const [range, stepText] = part.split('/');
    const step = stepText === undefined ? 1 : Number(stepText);
    const [low, high] = parseRange(range, min, max);
    if (!(step > 0) || !(low >= min && high <= max && low <= high)) {
      throw new RangeError(`bad ${name} field: ${field}`);
    }
    for (let value = low; value <= high; value++) {
      if ((value - low) % step === 0) values.add(value);
    }
  }

  return [...values].sort((a, b) => a - b);
}

/** Does "minute hour weekday" match the given moment (UTC)? */
export function matches(expression: string, when: Date): boolean {
  const [minute, hour, weekday] = expression.trim().split(/\s+/);
  return (
    expandField(minute, 'minute').includes(when.getUTCMinutes()) &&
    expandField(hour, 'hour').includes(when.getUTCHours()) &&
    expandField(weekday, 'weekday').includes(when.getUTCDay())
  );
}
