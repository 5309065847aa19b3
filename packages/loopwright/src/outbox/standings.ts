// What a person elsewhere can be told of: how a run stands when it stops.

import { type Outcome, outcomes } from "@loopwright/core";

export type Standing = Outcome | "waiting";

/** Every one of them. */
export const standings = ["waiting", ...(Object.keys(outcomes) as Outcome[])] as const satisfies Standing[];

/** A run that another one took over is not told of, unless somebody asks for it. */
export const usualStandings: readonly Standing[] = standings.filter((standing) => standing !== "superseded");
