// One pattern of a `.gitignore`, matched as git does and in bounded time: no pattern, however it is written, tries more than its
// length times the path's. Pure.

/** A character of a name: itself, one of a class, any, or any number of any. */
type Token = string | RegExp | typeof ONE | typeof MANY;
const ONE = Symbol("?");
const MANY = Symbol("*");
/** A part of a path: any number of folders, or whether a name fits. */
type Part = typeof FOLDERS | ((name: string, effort: Effort) => boolean);
const FOLDERS = Symbol("**");

/** What matching has cost so far. */
export interface Effort {
  steps: number;
}

/** Whether a path fits, part by part. */
export type Glob = (path: readonly string[], effort: Effort) => boolean;

/** A pattern with a slash in it is of paths from its folder, one without of names anywhere below. */
export function readGlob(pattern: string): Glob {
  const parts = pattern.replace(/^\//, "").split("/").map(readPart);
  const [only] = parts;
  if (pattern.includes("/") || only === FOLDERS) return (path, effort) => fitsPath(parts, path, effort);
  return (path, effort) => only!(path.at(-1)!, effort);
}

function readPart(text: string): Part {
  if (text === "**") return FOLDERS;
  const tokens = readTokens(text);
  const whole = isPlain(tokens) ? tokens.join("") : undefined;
  if (whole !== undefined) return (name) => name === whole;
  const [first, ...rest] = tokens;
  const end = first === MANY && isPlain(rest) ? rest.join("") : undefined;
  // Most patterns of the wild are of this kind: *.pyc
  if (end !== undefined) return (name) => name.endsWith(end);
  return (name, effort) => fitsName(tokens, name, effort);
}

function isPlain(tokens: readonly Token[]): tokens is string[] {
  return tokens.every((token) => typeof token === "string");
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const end = character === "[" ? text.indexOf("]", at + 2) : -1;
    if (end > 0) {
      tokens.push(readClass(text.slice(at + 1, end)));
      at = end;
    } else if (character === "*") {
      if (tokens.at(-1) !== MANY) tokens.push(MANY);
    } else if (character === "\\" && at + 1 < text.length) tokens.push(text[++at]!);
    else tokens.push(character === "?" ? ONE : character);
  }
  return tokens;
}

function readClass(inside: string): RegExp {
  try {
    return new RegExp(`^[${inside.replace(/^!/, "^").replace(/[[\]]/g, "\\$&")}]$`);
  } catch {
    // A range that runs backwards fits nothing, for git neither.
    return /(?!)/;
  }
}

/** Of several ways to fill `**`, only the last one's are tried again: whatever an earlier one left can be had by it too. */
function fitsPath(parts: readonly Part[], path: readonly string[], effort: Effort): boolean {
  let [part, at, folders, mark] = [0, 0, -1, 0];
  while (at < path.length) {
    effort.steps++;
    const wanted = parts[part];
    if (wanted === FOLDERS) {
      if (part === parts.length - 1) return true;
      [folders, mark] = [part++, at];
    } else if (wanted?.(path[at]!, effort)) {
      part++;
      at++;
    } else if (folders >= 0) [part, at] = [folders + 1, ++mark];
    else return false;
  }
  return part === parts.length;
}

/** The same inside a name, for `*`. */
function fitsName(tokens: readonly Token[], name: string, effort: Effort): boolean {
  let [token, at, many, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    effort.steps++;
    const wanted = tokens[token];
    if (wanted === MANY) [many, mark] = [token++, at];
    else if (wanted !== undefined && fitsOne(wanted, name[at]!)) {
      token++;
      at++;
    } else if (many >= 0) [token, at] = [many + 1, ++mark];
    else return false;
  }
  while (tokens[token] === MANY) token++;
  return token === tokens.length;
}

function fitsOne(token: Exclude<Token, typeof MANY>, character: string): boolean {
  if (typeof token === "string") return token === character;
  return token === ONE || token.test(character);
}
