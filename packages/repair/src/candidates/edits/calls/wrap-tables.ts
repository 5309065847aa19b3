// What values of a kind are passed through, likeliest first. `_` stands for the value.

import type { Kind } from "../../words/kinds.ts";

type Table = Partial<Record<Kind, readonly string[]>>;

const python: Table = {
  number: list(
    "abs(_) | int(_) | round(_) | -_ | max(0, _) | str(_) | float(_) | round(_, 2) | min(1, _) | max(1, _) | _ or 1 | [_]",
  ),
  string: list(`_.strip() | _.lower() | _.upper() | int(_) | len(_) | _.split() | _[::-1] | float(_) | list(_) |
    _[1:] | _.casefold() | sorted(_) | _.title() | _ or 0 | _ or 1 | _.rstrip() | _.zfill(2)`),
  list: list(`sorted(_) | len(_) | list(_) | set(_) | _[::-1] | reversed(_) | sum(_) | _.copy() | tuple(_) | max(_) |
    min(_) | _[0] | _[-1] | _[1:] | _[:-1] | [list(row) for row in _] |
    [item for item in _ if item] | [int(item) for item in _] | [item.strip() for item in _] | map(int, _)`),
  dict: list("dict(_) | _.copy() | _.items() | _.values() | len(_) | sorted(_) | list(_) | _.keys() | sum(_.values())"),
  set: list("sorted(_) | set(_) | _.copy() | len(_) | list(_)"),
  boolean: list("not _ | int(_)"),
  unknown: list(`list(_) | _.lower() | _.strip() | -_ | str(_) | int(_) | abs(_) | len(_) | sorted(_) | dict(_) |
    _.copy() | float(_) | max(0, _) | set(_) | sum(_) | _[0] | _[-1] | tuple(_) | _ or 0 | _ or 1 | _ or []`),
};

const script: Table = {
  number: list(`Math.abs(_) | Math.floor(_) | Math.round(_) | Math.max(0, _) | -_ | Math.trunc(_) | Math.ceil(_) |
    String(_) | Math.min(1, _) | Math.max(1, _) | Math.round(_ * 100) / 100 | _.toFixed(2) | _ || 1 | _ >>> 0 | [_]`),
  string: list(`_.trim() | _.toLowerCase() | Number(_) | _.toUpperCase() | [..._] | _.length | _.split('') |
    parseInt(_, 10) | _.slice(1) | _.padStart(2, '0') | [..._].length | _.slice(0, -1) | Number(_ || 1)`),
  list: list(`[..._] | _.length | _.slice() | [..._].reverse() | _.filter(Boolean) | _.map(Number) | [...new Set(_)] |
    _.slice(1) | _.slice(0, -1) | _.flat() | _.reverse() | new Set(_) | _.map((row) => [...row]) | _[0] | _.at(-1) |
    _.reduce((sum, value) => sum + value, 0) | Math.max(..._) | [..._].sort((a, b) => a - b)`),
  dict: list(`{ ..._ } | Object.keys(_) | Object.values(_) | Object.entries(_) | structuredClone(_) | new Map(_) |
    [..._.values()] | _.size`),
  set: list("[..._] | new Set(_) | _.size"),
  boolean: list("!_ | Number(_)"),
  unknown: list(`[..._] | String(_) | Number(_) | { ..._ } | _.toLowerCase() | _.trim() | -_ | Math.abs(_) | _.length |
    structuredClone(_) | _.getTime() | Math.floor(_) | Math.max(0, _) | _[0] | _.at(-1) | new Set(_) | new Date(_) | _.reverse()`),
  object: list("{ ..._ } | structuredClone(_) | new Date(_) | [..._]"),
};

/** The forms for values of a kind. */
export function wrapForms(kind: Kind, isPython: boolean): readonly string[] {
  return (isPython ? python : script)[kind] ?? [];
}

function list(forms: string): string[] {
  return forms.split(/\s+\|\s+/);
}
