// All operators.

import { comparisons } from "./comparisons.ts";
import type { Operator } from "./operator.ts";

export const operators: readonly Operator[] = [comparisons];
