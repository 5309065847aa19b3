export interface Slot {
  start: number;
  end: number;
}

/** Minutes after midnight from "9:05" or "14:30". */
export function minutes(clock: string): number {
  const [hours, mins] = clock.split(':').map(Number);
  return hours * 60 + mins;
}

export function clock(total: number): string {
  const mins = String(total % 60).padStart(2, '0');
  return `${Math.floor(total / 60)}:${mins}`;
}

const parse = (text: string): Slot => {
  const [start, end] = text.split('-').map(minutes);
  return { start, end };
};

function cut(slot: Slot, booking: Slot): Slot[] {
  if (booking.end <= slot.start || booking.start >= slot.end) return [slot];
  const parts: Slot[] = [];
  if (booking.start > slot.start) parts.push({ start: slot.start, end: booking.start });
  if (booking.end < slot.end) parts.push({ start: booking.end, end: slot.end });
  return parts;
}

/** What is left of the opening hours once the bookings are taken out. */
export function freeSlots(opening: string[], bookings: string[], shortest = 1): string[] {
  let free = opening.map(parse);
  for (const booking of bookings.map(parse)) {
    free = free.flatMap((slot) => cut(slot, booking));
  }
  return free
    .filter((slot) => slot.end - slot.start >= shortest)
    .map((slot) => `${clock(slot.start)}-${clock(slot.end)}`);
}
