// How a value breaks its schema, in words that go on after "'ceilings.usd' is high".

import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** What was expected instead, or what a schema's own check says. */
export function mismatch(issue: Issue): string {
  return issue.code === "custom" && !isZods(issue) ? `: ${issue.message}` : `, expected ${expected(issue)}`;
}

/** What is missing, and what was expected there. */
export function missing(issue: Issue): string {
  return `'${issue.path.join(".")}' is missing${mismatch(issue)}`;
}

/** What a schema wants, as a noun; the words that it brings along hold. */
export function expected(issue: Issue): string {
  if (issue.code !== "custom" && !isZods(issue)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return types[issue.expected] ?? issue.expected;
    case "invalid_value":
      return `${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return sized(issue, issue.minimum, "more");
    case "too_big":
      return sized(issue, issue.maximum, "less");
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "invalid_format":
      return formatted(issue as z.core.$ZodStringFormatIssues);
    case "unrecognized_keys":
      return `a mapping without '${issue.keys.join("', '")}'`;
    case "invalid_union":
      return oneOf(issue.errors.flatMap((issues) => issues.slice(0, 1)).map(inside)) ?? OTHER;
    default:
      return OTHER;
  }
}

const OTHER = "another value";

/** Whether nobody has given this message words of their own. */
function isZods({ message }: Issue): boolean {
  return /^(Invalid |Too (big|small)\b|Unrecognized )/.test(message);
}

const types: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  string: "text",
  boolean: "true or false",
  object: "a mapping",
  record: "a mapping",
  array: "a list",
  tuple: "a list",
  null: "nothing",
};

interface Bound {
  origin: string;
  inclusive?: boolean;
  exact?: boolean;
}

function sized({ origin, inclusive, exact }: Bound, limit: number | bigint, side: "more" | "less"): string {
  const isCount = ["string", "array", "set", "tuple", "object", "map"].includes(origin);
  const beyond = isCount && side === "less" ? "fewer" : side;
  const amount = exact ? `exactly ${limit}` : inclusive ? `${limit} or ${beyond}` : `${beyond} than ${limit}`;
  if (!isCount) return `a number of ${amount}`;
  return origin === "string"
    ? `text of ${amount} ${exact && limit === 1 ? "character" : "characters"}`
    : `${types[origin] ?? "a list"} of ${amount}`;
}

function formatted(issue: z.core.$ZodStringFormatIssues): string {
  switch (issue.format) {
    case "regex":
      return `text that fits ${issue.pattern}`;
    case "starts_with":
      return `text that begins with '${issue.prefix}'`;
    case "ends_with":
      return `text that ends with '${issue.suffix}'`;
    case "includes":
      return `text with '${issue.includes}' in it`;
    case "url":
      return "an address (URL)";
    default:
      return `text of the form '${issue.format}'`;
  }
}

/** What one choice of several wants; of a mapping or a list the part that does not fit. */
function inside(issue: Issue): string {
  const [first] = issue.path;
  if (first === undefined) return expected(issue);
  return `a ${typeof first === "number" ? "list" : "mapping"} whose '${issue.path.join(".")}' is ${expected(issue)}`;
}

function oneOf(choices: readonly string[]): string | undefined {
  const all = [...new Set(choices)];
  return all.length < 2 ? all[0] : `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
}
