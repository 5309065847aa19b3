// `npm run soak -- fab-kills`: on the real Blender, by search and by a model, a chain for each place that it can be killed at, and one
// killed at all of them.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Builder, killedChain, type Place, places } from "./fab-kills.ts";

const run = (kills: readonly Place[], builder: Builder) =>
  killedChain(mkdtempSync(join(tmpdir(), "loopwright-fab-kill-")), kills, builder);
let [chains, kills, same] = [0, 0, 0];
for (const builder of ["search", "model"] as const) {
  const { end: unbroken } = await run([], builder);
  for (const plan of [...places[builder].map((place) => [place]), places[builder]]) {
    const { killed, end } = await run(plan, builder);
    const isSame = killed > 0 && isDeepStrictEqual(end, unbroken);
    chains += 1;
    kills += killed;
    if (isSame) same += 1;
    const words = plan.map(({ nth, name }) => `${name} of run ${nth}`).join(", ");
    console.log(`${builder}: ${words}: ${isSame ? "the same" : `ANOTHER END ${JSON.stringify(end)}`}`);
  }
}
console.log(JSON.stringify({ chains, same, kills }));
process.exitCode = same === chains ? 0 : 1;
