// Methods and functions that people take for one another. Each group is a list of names that take the same arguments,
// or that a fault takes for one another all the same; near neighbors are likelier.

const python = [
  "append extend add appendleft",
  "append insert",
  "add update discard remove",
  "remove discard pop",
  "pop popleft popitem",
  "append appendleft",
  "strip rstrip lstrip",
  "lstrip removeprefix",
  "rstrip removesuffix",
  "lower upper casefold title capitalize swapcase",
  "find rfind index rindex count",
  "split rsplit splitlines partition rpartition",
  "partition rpartition",
  "startswith endswith",
  "items keys values",
  "isdigit isnumeric isdecimal isalnum isalpha",
  "isupper islower isspace",
  "ljust rjust center zfill",
  "get pop setdefault",
  "union intersection difference symmetric_difference",
  "issubset issuperset isdisjoint",
  "intersection_update difference_update update",
  "difference difference_update",
  "intersection intersection_update",
  "union update",
  "read getvalue",
  "randrange randint",
  "localtime gmtime",
  "keys values",
  "days seconds total_seconds",
  "weekday isoweekday",
  "match fullmatch search",
  "match search findall",
  "sub subn",
  "replace removeprefix removesuffix",
  "sort reverse",
  "ceil floor trunc",
  "bisect_left bisect_right bisect insort",
  "heappush heappop heapify heappushpop heapreplace",
  "nlargest nsmallest",
  "permutations combinations product combinations_with_replacement",
  "deepcopy copy",
  "stdev pstdev",
  "variance pvariance",
  "median median_low median_high mean mode",
  "fromtimestamp utcfromtimestamp",
  "hypot dist",
  "radians degrees",
  "sin cos tan",
  "log log2 log10",
  "dumps dump",
  "title capitalize",
  "group groups",
  "start end span",
  "subtract update",
  "acquire release",
  "ROUND_HALF_UP ROUND_HALF_EVEN ROUND_HALF_DOWN ROUND_DOWN ROUND_UP ROUND_FLOOR ROUND_CEILING",
];

const pythonFunctions = [
  "min max",
  "any all",
  "int round float",
  "floor ceil int round",
  "sum len max",
  "list tuple set sorted",
  "sorted reversed list",
  "str repr",
  "range enumerate",
  "zip zip_longest",
  "bisect_left bisect_right",
  "deepcopy copy",
  "permutations combinations",
  "takewhile dropwhile filter",
  "isinstance issubclass",
  "chr ord",
  "dict defaultdict OrderedDict",
  "set frozenset",
  "ceil floor",
  "abs round",
  "hex bin oct",
  "map filter",
  "ROUND_HALF_UP ROUND_HALF_EVEN ROUND_HALF_DOWN ROUND_DOWN ROUND_UP",
];

const script = [
  "push unshift",
  "pop shift",
  "slice splice",
  "slice substring substr",
  "indexOf lastIndexOf findIndex search",
  "indexOf includes",
  "find findLast filter findIndex",
  "findIndex findLastIndex",
  "floor ceil round trunc",
  "min max",
  "some every",
  "keys values entries",
  "map filter flatMap forEach",
  "map flatMap",
  "filter some find",
  "toLowerCase toUpperCase",
  "trim trimStart trimEnd",
  "padStart padEnd",
  "startsWith endsWith includes",
  "replace replaceAll",
  "concat push",
  "sort toSorted",
  "reverse toReversed",
  "reduce reduceRight",
  "get has",
  "set add delete",
  "delete clear",
  "charAt charCodeAt at",
  "charCodeAt codePointAt",
  "getDate getDay getUTCDate",
  "getMonth getUTCMonth",
  "getFullYear getUTCFullYear",
  "getHours getUTCHours",
  "getDay getUTCDay",
  "getUTCDay getUTCDate",
  "setDate setUTCDate",
  "setMonth setUTCMonth",
  "parseInt parseFloat",
  "test exec",
  "match matchAll",
  "all allSettled race any",
  "then catch finally",
  "encodeURIComponent encodeURI",
  "decodeURIComponent decodeURI",
  "toFixed toPrecision",
  "toString toISOString",
  "log log2 log10",
  "hypot sqrt",
  "abs sign",
  "flat flatMap",
  "on once off",
  "join concat",
  "from of",
  "assign entries",
  "isInteger isFinite isSafeInteger isNaN",
  "sin cos tan",
  "resolve reject",
];

const scriptFunctions = [
  "parseInt parseFloat Number",
  "Number String Boolean",
  "isNaN isFinite",
  "Map Set WeakMap",
  "setTimeout setInterval",
  "clearTimeout clearInterval",
  "encodeURIComponent encodeURI",
  "decodeURIComponent decodeURI",
  "Error TypeError RangeError",
];

/** The names that a method may have been meant as, likeliest first. */
export function otherMethods(name: string, isPython: boolean): string[] {
  return (isPython ? pythonMethodTable : scriptMethodTable).get(name) ?? [];
}

/** The names that a function may have been meant as, likeliest first. */
export function otherFunctions(name: string, isPython: boolean): string[] {
  return (isPython ? pythonFunctionTable : scriptFunctionTable).get(name) ?? [];
}

function tableOf(groups: readonly string[]): Map<string, string[]> {
  const table = new Map<string, string[]>();
  for (const group of groups) {
    const names = group.split(" ");
    for (const [at, name] of names.entries()) {
      const others = names
        .map((other, index) => ({ other, far: Math.abs(index - at) }))
        .filter(({ far }) => far > 0)
        .sort((a, b) => a.far - b.far);
      const known = table.get(name) ?? [];
      table.set(name, [...new Set([...known, ...others.map(({ other }) => other)])]);
    }
  }
  return table;
}

const pythonMethodTable = tableOf(python);
const pythonFunctionTable = tableOf(pythonFunctions);
const scriptMethodTable = tableOf(script);
const scriptFunctionTable = tableOf(scriptFunctions);
