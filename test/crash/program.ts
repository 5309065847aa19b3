// Drives one scenario in a process of its own: starts it or goes on with it, and is killed where it is told to be.
//
//   node test/crash/program.ts <scenario> <dir> [before|after <nth commit>]

import type { Journal } from "@loopwright/core";
import { drive } from "./drive.ts";

const [name, dir, side, count] = process.argv.slice(2) as [string, string, string | undefined, string | undefined];
let writes = 0;
const end = await drive(name, dir, (journal) => killing(journal, side, Number(count)));
console.log(JSON.stringify({ ...end, writes }));

/** The journal, with a process that dies right before or right after its nth write. */
function killing(journal: Journal, where: string | undefined, nth: number): Journal {
  const writing = new Set(["create", "append", "yield", "acquire"]);
  return new Proxy(journal, {
    get(target, property) {
      const method = Reflect.get(target, property) as (...args: unknown[]) => Promise<unknown>;
      if (typeof method !== "function") return method;
      if (!writing.has(property as string)) return method.bind(target);
      return async (...args: unknown[]) => {
        // Children side by side may begin another one meanwhile.
        const own = ++writes;
        if (where === "before" && own === nth) process.kill(process.pid, "SIGKILL");
        const result = await method.apply(target, args);
        if (where === "after" && own === nth) process.kill(process.pid, "SIGKILL");
        return result;
      };
    },
  });
}
