// Arguments that well-known functions take and that people forget.

export interface Added {
  text: string;
  /** Whether it goes before the others. */
  first?: boolean;
}

type Table = Record<string, (given: readonly string[]) => string[]>;

const reversed = (given: readonly string[]): string[] =>
  given.some((text) => text.startsWith("reverse")) ? [] : ["reverse=True"];
const keyed = (given: readonly string[]): string[] =>
  given.some((text) => text.startsWith("key"))
    ? []
    : ["key=len", "key=str.lower", "key=lambda item: item[1]", "key=lambda item: item[0]"];

const python: Table = {
  sorted: (given) => [...reversed(given), ...keyed(given)],
  sort: (given) => [...reversed(given), ...keyed(given)],
  max: (given) => [
    ...(hasKey(given, "default") || given.length > 1 ? [] : ["default=0", "default=None"]),
    ...keyed(given),
  ],
  min: (given) => [
    ...(hasKey(given, "default") || given.length > 1 ? [] : ["default=0", "default=None"]),
    ...keyed(given),
  ],
  split: (given) => (given.length === 0 ? ['","', '" "', '"\\n"'] : given.length === 1 ? ["1", "maxsplit=1"] : []),
  rsplit: (given) => (given.length === 0 ? ['" "'] : given.length === 1 ? ["1"] : []),
  enumerate: (given) => (given.length === 1 ? ["1", "start=1"] : []),
  round: (given) => (given.length === 1 ? ["2", "1"] : []),
  int: (given) => (given.length === 1 ? ["2", "16", "10"] : []),
  sum: (given) => (given.length === 1 ? ["[]", "1"] : []),
  get: (given) => (given.length === 1 ? ["0", "[]", '""', "None", "{}", 'float("inf")'] : []),
  pop: (given) => (given.length === 0 ? ["0", "-1"] : given.length === 1 ? ["None"] : []),
  next: (given) => (given.length === 1 ? ["None"] : []),
  replace: (given) => (given.length === 2 ? ["1"] : []),
  zip: (given) => (hasKey(given, "strict") ? [] : ["strict=True"]),
  dumps: (given) => (hasKey(given, "sort_keys") ? [] : ["sort_keys=True"]),
  getattr: (given) => (given.length === 2 ? ["None"] : []),
  accumulate: () => ["initial=0"],
  reduce: (given) => (given.length === 2 ? ["0", "1"] : []),
  popitem: (given) => (given.length === 0 ? ["last=False", "last=True"] : []),
  strip: (given) => (given.length === 0 ? ['"."', '"/"'] : []),
  compile: (given) => (given.length === 1 ? ["re.IGNORECASE", "re.MULTILINE"] : []),
  sub: (given) => (given.length === 3 ? ["flags=re.IGNORECASE"] : []),
  search: (given) => (given.length === 2 ? ["re.IGNORECASE"] : []),
  match: (given) => (given.length === 2 ? ["re.IGNORECASE"] : []),
  findall: (given) => (given.length === 2 ? ["re.IGNORECASE"] : []),
  fromtimestamp: (given) => (given.length === 1 ? ["tz=timezone.utc", "timezone.utc"] : []),
  now: (given) => (given.length === 0 ? ["timezone.utc"] : []),
  quote: (given) => (given.length === 1 ? ['safe=""'] : []),
  mkdir: (given) => (given.length < 2 ? ["parents=True", "exist_ok=True"] : []),
  dataclass: () => ["frozen=True", "order=True"],
};

const byNumber = "(a, b) => a - b";
const byNumberDown = "(a, b) => b - a";

const script: Table = {
  sort: (given) => (given.length === 0 ? [byNumber, byNumberDown, "(a, b) => a.localeCompare(b)"] : []),
  toSorted: (given) => (given.length === 0 ? [byNumber, byNumberDown] : []),
  parseInt: (given) => (given.length === 1 ? ["10", "16", "2"] : []),
  reduce: (given) => (given.length === 1 ? ["0", "1", "''", "[]", "{}"] : []),
  reduceRight: (given) => (given.length === 1 ? ["0", "[]"] : []),
  toString: (given: readonly string[]) => (given.length === 0 ? ["2", "16", "36"] : []),
  padStart: (given) => (given.length === 1 ? ["'0'"] : []),
  padEnd: (given) => (given.length === 1 ? ["'0'", "' '"] : []),
  slice: (given) => (given.length === 0 ? ["1", "0, -1"] : given.length === 1 ? ["-1"] : []),
  splice: (given) => (given.length === 1 ? ["1"] : []),
  indexOf: (given) => (given.length === 1 ? ["1"] : []),
  flat: (given) => (given.length === 0 ? ["Infinity"] : []),
  split: (given) => (given.length === 0 ? ["''", "' '", "','"] : given.length === 1 ? ["2"] : []),
  join: (given) => (given.length === 0 ? ["''", "' '", "', '"] : []),
  toFixed: (given) => (given.length === 0 ? ["2"] : []),
  filter: (given) => (given.length === 0 ? ["Boolean"] : []),
  localeCompare: (given) =>
    given.length === 1 ? ["undefined, { numeric: true }", "undefined, { sensitivity: 'base' }"] : [],
};

/** What a call of a well-known function may lack, likeliest first. */
export function missingArguments(name: string, given: readonly string[], isPython: boolean): Added[] {
  const table = isPython ? python : script;
  if (!Object.hasOwn(table, name)) return [];
  return table[name]!(given).map((text) => ({ text }));
}

function hasKey(given: readonly string[], key: string): boolean {
  return given.some((text) => text.startsWith(`${key}=`));
}
