// All operators.

import { callArguments } from "./calls/arguments.ts";
import { callings } from "./calls/callings.ts";
import { comparators } from "./calls/comparators.ts";
import { importedWraps } from "./calls/imports.ts";
import { lookups, methods } from "./calls/methods.ts";
import { ownCalls } from "./calls/own-calls.ts";
import { results } from "./calls/results.ts";
import { ownWraps, seenCalls, wraps } from "./calls/wraps.ts";
import { asyncIdioms } from "./idioms/async.ts";
import { pythonIdioms } from "./idioms/python.ts";
import { scriptIdioms } from "./idioms/script.ts";
import type { Operator } from "./operator.ts";
import { accumulations } from "./statements/accumulations.ts";
import { attempts } from "./statements/attempts.ts";
import { elements, keywordNames, parameterDefaults } from "./statements/elements.ts";
import { elseBranches } from "./statements/else-branches.ts";
import { branches, endings, jumps } from "./statements/flow.ts";
import { guards, wrappings } from "./statements/guards.ts";
import { additions, copies } from "./statements/insertions.ts";
import { wholeKeys } from "./statements/keys.ts";
import { comprehensions, iterables } from "./statements/loops.ts";
import { orders } from "./statements/orders.ts";
import { statements } from "./statements/statements.ts";
import { arithmetic } from "./values/arithmetic.ts";
import { bits } from "./values/bits.ts";
import { comparisons } from "./values/comparisons.ts";
import { conditions } from "./values/conditions.ts";
import { constants, strings } from "./values/constants.ts";
import { exchanges } from "./values/exchanges.ts";
import { expressions, operands, operations } from "./values/expressions.ts";
import { extremes, nestedExtremes, rounding } from "./values/extremes.ts";
import { formats } from "./values/formats.ts";
import { formulas } from "./values/formulas.ts";
import { groupings } from "./values/groupings.ts";
import { emptyLists, fallbacks, initials } from "./values/initials.ts";
import { exceptions, patterns } from "./values/literals.ts";
import { members, taken } from "./values/members.ts";
import { names } from "./values/names.ts";
import { bounds, offByOne } from "./values/off-by-one.ts";
import { units } from "./values/units.ts";

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
