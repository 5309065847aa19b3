import { nightsBetween } from "./days.js";

const CENTS_OF_A_METER = 210;
const CENTS_AT_LEAST = 1500;

/** What a stay costs in cents, for a boat of that length: by the meter and the night, half of that for a day visit. */
export function price({ from, to }, meters) {
  const night = Math.max(CENTS_AT_LEAST, Math.ceil(meters) * CENTS_OF_A_METER);
  const nights = nightsBetween(from, to);
  return nights === 0 ? Math.round(night / 2) : night * nights;
}
