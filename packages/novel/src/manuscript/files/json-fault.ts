// Where a text stops being JSON. The runtime's own message names a place for some faults only.

const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a text
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

export interface PlacedFault {
  at: number;
  problem: string;
}

/** The first fault of a text that does not parse. */
export function findJsonFault(text: string): PlacedFault {
  let at = 0;
  const open: ("{" | "[")[] = [];
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const fault = (wanted: string): PlacedFault => ({
    at,
    problem:
      at >= text.length ? `it ends where ${wanted} should stand` : `${shown(text, at)} where ${wanted} should stand`,
  });
  let wants: "value" | "first" | "key" | "more" = "value";
  for (;;) {
    take(SPACE);
    const top = open.at(-1);
    const sign = text[at];
    if (wants === "more") {
      if (top === undefined) return fault("the end");
      if (sign === ",") wants = top === "{" ? "key" : "value";
      else if (sign === (top === "{" ? "}" : "]")) open.pop();
      else return fault(top === "{" ? "',' or '}'" : "',' or ']'");
      at++;
      continue;
    }
    if (wants === "first" && sign === (top === "{" ? "}" : "]")) {
      open.pop();
      at++;
      wants = "more";
      continue;
    }
    if (wants === "key" || (wants === "first" && top === "{")) {
      if (!take(STRING)) return sign === '"' ? truncatedString(at) : fault("a key in double quotes");
      take(SPACE);
      if (text[at] !== ":") return fault("':'");
      at++;
      wants = "value";
      continue;
    }
    if (sign === "{" || sign === "[") {
      open.push(sign);
      at++;
      wants = "first";
      continue;
    }
    if (sign === '"' && !take(STRING)) return truncatedString(at);
    if (sign !== '"' && !take(SCALAR)) return fault("a value");
    wants = "more";
  }
}

function truncatedString(at: number): PlacedFault {
  return { at, problem: "the text that begins here is not closed on its line, or holds a wrong \\ sequence" };
}

function shown(text: string, at: number): string {
  return `'${String.fromCodePoint(text.codePointAt(at)!)}' stands`;
}
