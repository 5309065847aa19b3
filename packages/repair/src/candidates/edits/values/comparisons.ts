// Comparisons: strictness, direction, equality, membership.

import type { Operator } from "../operator.ts";
import { rankCost, replaceText } from "../proposal.ts";

const python: Record<string, string[]> = {
  "<": ["<=", ">", ">=", "!=", "=="],
  "<=": ["<", ">=", ">", "==", "!="],
  ">": [">=", "<", "<=", "!=", "=="],
  ">=": [">", "<=", "<", "==", "!="],
  "==": ["!=", "<=", ">=", "is", "in", "<", ">"],
  "!=": ["==", "<", ">", "is not", "not in", "<=", ">="],
  in: ["not in", "=="],
  "not in": ["in", "!="],
  is: ["is not", "=="],
  "is not": ["is", "!="],
};

const script: Record<string, string[]> = {
  "<": ["<=", ">", ">=", "!==", "==="],
  "<=": ["<", ">=", ">", "===", "!=="],
  ">": [">=", "<", "<=", "!==", "==="],
  ">=": [">", "<=", "<", "===", "!=="],
  "===": ["!==", "<=", ">=", "==", "<", ">"],
  "!==": ["===", "<", ">", "!=", "<=", ">="],
  "==": ["===", "!=", "<=", ">="],
  "!=": ["!==", "==", "<", ">"],
  in: ["of"],
  instanceof: [],
};

const opposite = new Set(["== !=", "!= ==", "in not in", "not in in", "=== !==", "!== ===", "is is not", "is not is"]);

/** Another comparison of the same operands. */
export const comparisons: Operator = function* (node, scene) {
  if (node.role !== "compare") return;
  for (const operator of node.all("operator")) {
    const others = (scene.isPython ? python : script)[operator.text.replace(/\s+/g, " ")] ?? [];
    for (const [rank, other] of others.entries()) {
      // Few people write the very opposite of what they mean.
      const far = opposite.has(`${operator.text} ${other}`) ? 1.2 : 0;
      yield {
        ...replaceText(operator, other, "comparison", 2.4 + 1.4 * rankCost(rank) + far),
        idea: `${operator.text} ${other}`,
      };
    }
  }
};
