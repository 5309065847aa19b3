// Sharing out work: so many at a time, each taking the next as it gets done, results in the order of what was given.

/** Does one thing after another in each slot; the first failure ends it. */
export async function shareOut<Item, Result>(
  items: readonly Item[],
  slots: number,
  work: (item: Item, slot: number, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const serve = async (slot: number) => {
    for (let index = next++; index < items.length; index = next++) {
      try {
        results[index] = await work(items[index]!, slot, index);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const served = Array.from({ length: Math.min(slots, items.length) }, (_, slot) => serve(slot));
  const ends = await Promise.allSettled(served);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  return results;
}
