import re

TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[-+*/()])")


def tokenize(text):
    tokens, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise SyntaxError(f"unexpected {text[at:].lstrip()[0]!r}")
        tokens.append(match.group(1))
        at = match.end()
    return tokens


class Parser:
    def __init__(self, tokens):
        self.tokens = tokens
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        token = self.peek()
        if token is None:
            raise SyntaxError("unexpected end")
        self.at += 1
        return token

    def sum(self):
        value = self.product()
        if self.peek() in ("+", "-"):
            if self.take() == "+":
                return value + self.sum()
            return value - self.sum()
        return value

    def product(self):
        value = self.factor()
        if self.peek() in ("*", "/"):
            if self.take() == "*":
                return value * self.product()
            return value / self.product()
        return value

    def factor(self):
        token = self.take()
        if token == "-":
            return -self.factor()
        if token == "(":
            value = self.sum()
            if self.take() != ")":
                raise SyntaxError("expected ')'")
            return value
        if not token[0].isdigit():
            raise SyntaxError(f"unexpected {token!r}")
        return float(token)


def evaluate(text):
    parser = Parser(tokenize(text))
    value = parser.sum()
    if parser.peek() is not None:
        raise SyntaxError(f"unexpected {parser.peek()!r}")
    return value
