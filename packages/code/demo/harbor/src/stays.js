import { dayNumber } from "./days.js";

/** A stay of a boat at a berth; throws where it would end before it begins. */
export function makeStay(boat, berth, from, to) {
  if (dayNumber(to) < dayNumber(from))
    throw new RangeError(`${boat} cannot leave on ${to}, before it comes on ${from}`);
  return { boat, berth, from, to };
}

/** Whether two stays need the same berth at the same time. */
export function collide(one, other) {
  if (one.berth !== other.berth) return false;
  return dayNumber(one.from) <= dayNumber(other.to) && dayNumber(other.from) <= dayNumber(one.to);
}
