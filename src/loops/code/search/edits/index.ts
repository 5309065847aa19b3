// All operators.

import { accumulations } from "./accumulations.ts";
import { callArguments } from "./arguments.ts";
import { arithmetic } from "./arithmetic.ts";
import { attempts } from "./attempts.ts";
import { bits } from "./bits.ts";
import { callings } from "./callings.ts";
import { comparators } from "./comparators.ts";
import { comparisons } from "./comparisons.ts";
import { conditions } from "./conditions.ts";
import { constants, strings } from "./constants.ts";
import { elements, keywordNames, parameterDefaults } from "./elements.ts";
import { elseBranches } from "./else-branches.ts";
import { exchanges } from "./exchanges.ts";
import { expressions, operands, operations } from "./expressions.ts";
import { extremes, nestedExtremes, rounding } from "./extremes.ts";
import { branches, endings, jumps } from "./flow.ts";
import { formats } from "./formats.ts";
import { formulas } from "./formulas.ts";
import { groupings } from "./groupings.ts";
import { guards, wrappings } from "./guards.ts";
import { asyncIdioms } from "./idioms-async.ts";
import { pythonIdioms } from "./idioms-python.ts";
import { scriptIdioms } from "./idioms-script.ts";
import { importedWraps } from "./imports.ts";
import { emptyLists, fallbacks, initials } from "./initials.ts";
import { additions, copies } from "./insertions.ts";
import { wholeKeys } from "./keys.ts";
import { exceptions, patterns } from "./literals.ts";
import { comprehensions, iterables } from "./loops.ts";
import { members, taken } from "./members.ts";
import { lookups, methods } from "./methods.ts";
import { names } from "./names.ts";
import { bounds, offByOne } from "./off-by-one.ts";
import type { Operator } from "./operator.ts";
import { orders } from "./orders.ts";
import { ownCalls } from "./own-calls.ts";
import { results } from "./results.ts";
import { statements } from "./statements.ts";
import { units } from "./units.ts";
import { ownWraps, seenCalls, wraps } from "./wraps.ts";

export const operators: readonly Operator[] = [
  ...[comparisons, arithmetic, constants, strings, offByOne, bounds, names, members, callArguments, methods, lookups],
  ...[conditions, wraps, operations, operands, expressions, initials, iterables, comprehensions, jumps, branches],
  ...[statements, copies, additions, guards, wrappings, pythonIdioms, scriptIdioms, asyncIdioms, patterns, exceptions],
  ...[comparators, elseBranches, extremes, rounding, formats, wholeKeys, orders, emptyLists, ownWraps],
  ...[exchanges, elements, keywordNames, parameterDefaults, attempts, formulas, importedWraps],
  ...[
    bits,
    groupings,
    units,
    results,
    ownCalls,
    accumulations,
    endings,
    seenCalls,
    nestedExtremes,
    taken,
    fallbacks,
    callings,
  ],
];
