// What well-known functions, methods and annotations say about kinds.

import type { Syntax } from "../syntax/tree.ts";
import type { Kind } from "./kinds.ts";

const functions: Record<Exclude<Kind, "unknown" | "object" | "function">, string> = {
  number: "len int float abs round sum ord pow divmod hash id Number parseInt parseFloat BigInt Decimal Fraction time",
  string: "str repr format chr hex bin oct ascii String input type",
  boolean: "bool any all isinstance issubclass callable hasattr Boolean isNaN",
  list: "list sorted tuple reversed range zip enumerate map filter Array deque bytes bytearray",
  dict: "dict Map OrderedDict defaultdict Counter WeakMap",
  set: "set frozenset Set WeakSet",
};

const methods: typeof functions = {
  number: `index find rfind rindex count indexOf lastIndexOf findIndex charCodeAt codePointAt getTime floor ceil trunc
    sqrt getFullYear getMonth getDate getDay getHours getMinutes bit_length total_seconds push unshift timestamp gcd`,
  string: `strip lstrip rstrip lower upper title capitalize casefold replace join zfill ljust rjust center format
    removeprefix removesuffix toLowerCase toUpperCase trim trimStart trimEnd padStart padEnd repeat toFixed
    replaceAll charAt substring substr toString isoformat strftime swapcase expandtabs decode normalize`,
  boolean: `startswith endswith isdigit isalpha isalnum isspace isupper islower isnumeric isdecimal issubset
    issuperset isdisjoint includes startsWith endsWith has every some test is_integer isInteger isFinite isArray isNaN`,
  list: `split rsplit splitlines partition rpartition items keys values entries map filter sort toSorted flat flatMap
    from splice findall matchAll most_common readlines toReversed`,
  dict: "fromkeys groupby fromEntries",
  set: "union intersection difference symmetric_difference",
};

const receivers: typeof functions = {
  number: "toFixed is_integer bit_length toPrecision quantize",
  string: `${methods.string.replace("normalize", "")} startswith endswith startsWith endsWith isdigit isalpha isalnum
    isspace split rsplit splitlines partition charCodeAt codePointAt find rfind encode isupper islower`,
  boolean: "",
  list: `append extend insert pop push shift unshift sort reverse splice map forEach reduce flatMap some every
    findIndex popleft appendleft filter join toSorted`,
  dict: "items keys values setdefault get update entries popitem move_to_end set",
  set: "add discard union intersection difference issubset",
};

const callKinds = turn(functions);
const methodKinds = turn(methods);
const receiverKinds = turn(receivers);

/** The kind that a well-known function or method gives. */
export function kindOfCall(called: Syntax, kindOfArgument: () => Kind): Kind | undefined {
  if (called.role === "name") {
    if (/^(?:min|max)$/.test(called.text)) return kindOfArgument() === "number" ? "number" : undefined;
    return callKinds.get(called.text);
  }
  if (called.role !== "member") return undefined;
  const property = called.child("property")?.text ?? "";
  if (called.child("object")?.text === "Math") return "number";
  return methodKinds.get(property);
}

/** The kind of a well-known property. */
export function kindOfMember(property: string): Kind | undefined {
  return property === "length" || property === "size" ? "number" : undefined;
}

/** The kind of value that a method is called on. */
export function receiverKind(property: string): Kind {
  if (property === "length") return "list";
  return receiverKinds.get(property) ?? "unknown";
}

/** The kind that an annotation names. */
export function kindFromAnnotation(annotation: string): Kind {
  const type = annotation.replace(/^:\s*/, "").replace(/^readonly\s+/, "");
  if (/\[\]$|^(?:list|List|tuple|Tuple|Sequence|Iterable|Array|ReadonlyArray|deque)\b/.test(type)) return "list";
  if (/^(?:int|float|number|bigint|Decimal|complex)\b/.test(type)) return "number";
  if (/^(?:str|string)\b/.test(type) || /^['"]/.test(type)) return "string";
  if (/^(?:bool|boolean)\b/.test(type)) return "boolean";
  if (/^(?:dict|Dict|Map|Record|ReadonlyMap|Mapping|defaultdict|OrderedDict|Counter)\b/.test(type)) return "dict";
  if (/^(?:set|Set|frozenset|ReadonlySet)\b/.test(type)) return "set";
  if (/=>|^Callable\b/.test(type)) return "function";
  return /^[A-Z{]/.test(type) ? "object" : "unknown";
}

/** The kind that an annotation names for the elements of a list. */
export function kindOfElements(annotation: string): Kind {
  const type = annotation.replace(/^:\s*/, "").replace(/^readonly\s+/, "");
  const inner =
    /^(.*)\[\]$/.exec(type)?.[1] ??
    /^(?:list|List|Sequence|Iterable|Array|ReadonlyArray|set|Set)[[<](.*)[\]>]$/.exec(type)?.[1];
  return inner === undefined ? "unknown" : kindFromAnnotation(inner);
}

function turn(table: typeof functions): Map<string, Kind> {
  const turned = new Map<string, Kind>();
  for (const [kind, names] of Object.entries(table)) {
    for (const name of names.split(/\s+/)) if (name !== "" && !turned.has(name)) turned.set(name, kind as Kind);
  }
  return turned;
}
