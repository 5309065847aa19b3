type Token = number | string;

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s*(?:(\d+(?:\.\d+)?)|([-+*/^()]))/y;
  let at = 0;
  const end = source.trimEnd().length;
  while (at < end) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (!match) throw new SyntaxError(`unexpected character at ${at}`);
    tokens.push(match[1] !== undefined ? Number(match[1]) : match[2]);
    at = pattern.lastIndex;
  }
  return tokens;
}

class Parser {
  private readonly tokens: Token[];
  private at = 0;

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  private accept(...wanted: string[]): string | null {
    const token = this.tokens[this.at];
    if (typeof token !== "string" || !wanted.includes(token)) return null;
    this.at++;
    return token;
  }

  parse(): number {
    const value = this.sum();
    if (this.at < this.tokens.length) throw new SyntaxError("unexpected token");
    return value;
  }

  private sum(): number {
    const left = this.product();
    const op = this.accept("+", "-");
    if (!op) return left;
    const right = this.sum();
    return op === "+" ? left + right : left - right;
  }

  private product(): number {
    const left = this.unary();
    const op = this.accept("*", "/");
    if (!op) return left;
    const right = this.product();
    return op === "*" ? left * right : left / right;
  }

  private unary(): number {
    return this.accept("-") ? -this.unary() : this.power();
  }

  private power(): number {
    const base = this.atom();
    return this.accept("^") ? base ** this.unary() : base;
  }

  private atom(): number {
    if (this.accept("(")) {
      const value = this.sum();
      if (!this.accept(")")) throw new SyntaxError("missing )");
      return value;
    }
    const token = this.tokens[this.at++];
    if (typeof token !== "number") throw new SyntaxError("expected a number");
    return token;
  }
}

export function calculate(source: string): number {
  return new Parser(tokenize(source)).parse();
}
