import { describe, expect, it } from "vitest";
import { type CoveredRange, rangesToLines } from "./lines.ts";

const source = `const a = 1;
function f(n) {
  if (n > 5) {
    return "large";
  } else {
    return "small";
  }
}
f(1);
`;

const at = (text: string, from = 0) => source.indexOf(text, from);
const whole: CoveredRange = [0, source.length, 1];
const f = (isCalled: 0 | 1): CoveredRange => [at("function f"), at("f(1)") - 1, isCalled];

describe("Lines from ranges", () => {
  it("are all lines with something on them where everything was executed", () => {
    expect(rangesToLines(source, [whole, f(1)])).toEqual([1, 2, 3, 4, 5, 6, 9]);
  });

  it("have none of a block that was not executed", () => {
    const block: CoveredRange = [at("{", at("if")), at("} else") + 1, 0];
    expect(rangesToLines(source, [whole, f(1), block])).toEqual([1, 2, 3, 5, 6, 9]);
  });

  it("have none of a function that was not called", () => {
    expect(rangesToLines(source, [whole, f(0)])).toEqual([1, 9]);
  });

  it("take the innermost range at its word", () => {
    const [outer, inner]: CoveredRange[] = [
      [at("{", at("if")), at("}\n}"), 0],
      [at("return", at("else")), at(";", at("small")) + 1, 1],
    ];
    expect(rangesToLines(source, [whole, f(1), outer!, inner!])).toEqual([1, 2, 3, 6, 9]);
  });

  it("leave out lines of brackets only, and count in characters beyond the basic plane and after CRLF", () => {
    const text = 'const smile = "😀😀";\r\n{\r\n}\r\nlet äöü = 1;\r\nnever();\r\n';
    const end = text.indexOf("never");
    expect(
      rangesToLines(text, [
        [0, text.length, 1],
        [end, text.length, 0],
      ]),
    ).toEqual([1, 4]);
  });

  it("are none of a script that was never loaded, or has nothing in it", () => {
    expect(rangesToLines(source, [])).toEqual([]);
    expect(rangesToLines("", [[0, 0, 1]])).toEqual([]);
  });
});
