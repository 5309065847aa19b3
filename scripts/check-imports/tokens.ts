// TypeScript as tokens: words, marks and texts, without comments, so that an import line inside a string is a text and not
// an import. What stands in `${}` of a template is read like any other source.

/** A word, a mark of one character, or a text: a string, or a template with nothing inserted. */
export interface Token {
  kind: "word" | "mark" | "text";
  /** The word, the mark, or what stands between the quotes. */
  value: string;
  line: number;
}

const space = /\s+|\/\/.*|\/\*[\s\S]*?\*\//;
const quoted = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/;
const word = /[\p{ID_Start}\d$_][\p{ID_Continue}$]*/u;
const token = new RegExp(`(${space.source})|(${quoted.source})|(${word.source})|([\\s\\S])`, "uy");
/** What follows a backquote, or the brace that ends what was inserted. */
const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^`$\\])*(`|\$\{)/y;
/** What follows the slash of a regular expression. */
const expressionRest = /(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;

/** After these words a slash opens a regular expression; after other words, texts and closing marks it divides. */
const beforeValue = new Set(["return", "typeof", "case", "in", "of", "await", "yield", "void", "delete", "else"]);

/** The tokens of a source, in order. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  /** One entry for each open brace: whether a template goes on behind its end. */
  const braces: boolean[] = [];
  let position = 0;
  let line = 1;

  while (position < source.length) {
    const start = position;
    const [, , text, name, mark] = take(token)!;
    if (text !== undefined) add("text", text.slice(1, -1));
    else if (name !== undefined) add("word", name);
    else if (mark !== undefined) addMark(mark);
    for (let at = start; at < position; at++) if (source[at] === "\n") line++;
  }
  return tokens;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position;
    const match = pattern.exec(source);
    position += match?.[0].length ?? 0;
    return match;
  }

  function add(kind: Token["kind"], value: string): void {
    tokens.push({ kind, value, line });
  }

  function addMark(mark: string): void {
    if (mark === "{") braces.push(false);
    if (mark === "/" && !divides(tokens.at(-1))) take(expressionRest);
    if (mark === "`") addTemplate(true);
    else if (mark === "}" && braces.pop()) addTemplate(false);
    else add("mark", mark);
  }

  function addTemplate(isWhole: boolean): void {
    const part = take(templatePart);
    if (part?.[1] === "${") braces.push(true);
    else if (part && isWhole) add("text", part[0].slice(0, -1));
    else add("mark", "`");
  }
}

function divides(before: Token | undefined): boolean {
  if (before?.kind === "mark") return ")]}`".includes(before.value);
  return before !== undefined && (before.kind === "text" || !beforeValue.has(before.value));
}
