// The one interface of all operators.

import type { Syntax } from "../syntax/tree.ts";
import type { Scene } from "../words/scene.ts";
import type { Proposal } from "./proposal.ts";

/** Proposes changes at a node; called for each node of a suspicious statement. */
export type Operator = (node: Syntax, scene: Scene) => Iterable<Proposal>;
