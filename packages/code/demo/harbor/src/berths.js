import { collide, makeStay } from "./stays.js";

/** The berths among these that a boat can have from one day to another, in their order. */
export function freeBerths(berths, stays, from, to) {
  return berths.filter((berth) => {
    const wanted = makeStay("a boat", berth, from, to);
    return !stays.some((stay) => collide(stay, wanted));
  });
}

/** The stays with one more; throws where its berth is taken. */
export function book(stays, stay) {
  const taken = stays.find((each) => collide(each, stay));
  if (taken) throw new Error(`berth ${stay.berth} is taken by ${taken.boat} from ${taken.from} to ${taken.to}`);
  return [...stays, stay];
}
