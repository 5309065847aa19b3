import { expect, it } from "vitest";
import { errorLine } from "./fast-retry.ts";

it.each([
  ["one line", "no block was found", "no block was found"],
  [
    "a traceback",
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    x()\nValueError: x must be 3',
    "ValueError: x must be 3",
  ],
  [
    "a chain of tracebacks, of which the last was raised",
    "Traceback (most recent call last):\n  File x\nKeyError: 'a'\n\nDuring handling …\n\nTraceback (most recent call last):\n  File y\napp.Broken.AppError: lost",
    "app.Broken.AppError: lost",
  ],
  [
    "words before an error",
    "The tests could not be collected:\nE   ImportError: no b\nmore",
    "The tests could not be collected: ImportError: no b",
  ],
  [
    "an error of JavaScript",
    "file:///a.js:3\n  throw x\n\nTypeError [ERR_X]: it is no function\n    at a",
    "file:///a.js:3: TypeError [ERR_X]: it is no function",
  ],
  ["a traceback that was cut", "Traceback (most recent call last):\n  File x, line 3", "File x, line 3"],
])("The line of %s holds the error itself", (_, text, line) => {
  expect(errorLine(text)).toBe(line);
});

it("The line is no longer than it may be", () => {
  expect(errorLine("x".repeat(1000), 300)).toHaveLength(300);
  expect(errorLine("one, two, three", 6)).toBe("one…");
});
