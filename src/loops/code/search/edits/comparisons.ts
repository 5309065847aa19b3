// Comparisons: strictness, direction, equality, membership.

import type { Operator } from "./operator.ts";
import { rankCost, replaceText } from "./proposal.ts";

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

/** Another comparison of the same operands. */
export const comparisons: Operator = function* (node, scene) {
  if (node.role !== "compare") return;
  for (const operator of node.all("operator")) {
    const others = (scene.isPython ? python : script)[operator.text.replace(/\s+/g, " ")] ?? [];
    for (const [rank, other] of others.entries()) {
      yield {
        ...replaceText(operator, other, "comparison", 2.4 + 1.4 * rankCost(rank)),
        idea: `${operator.text} ${other}`,
      };
    }
  }
};
