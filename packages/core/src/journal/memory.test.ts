import { journalContract } from "./contract/index.ts";
import { MemoryJournal } from "./memory.ts";

journalContract("in memory", async (options) => {
  const journal = new MemoryJournal(options);
  return { journal, again: async () => journal };
});
