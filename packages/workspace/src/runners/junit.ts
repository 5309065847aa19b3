// JUnit XML as runners write it: every test case in order, or why the report cannot be believed.
//
// A report is made while generated code runs, so it is read as hostile: bounded in size and depth, no entities of its own.

import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { TestState } from "../cell.ts";

export interface JunitCase {
  /** The suites around it, outermost first. */
  suites: string[];
  name: string;
  classname: string;
  file: string;
  state: TestState;
  /** Whether it could not even be run: an error, not a failure. */
  isError: boolean;
  /** The failure's or the skip's own words. */
  message: string;
  text: string;
  properties: Record<string, string>;
}

export type JunitResult = { cases: JunitCase[]; fault?: undefined } | { cases?: undefined; fault: string };

const MAX_CHARS = 50_000_000;
const MAX_DEPTH = 100;

type Node = { ":@"?: Record<string, string> } & { [tag: string]: Node[] | string };

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
});

/** Reads a report. */
export function readJunit(xml: string): JunitResult {
  if (xml.trim() === "") return { fault: "the test report is empty" };
  if (xml.length > MAX_CHARS) return { fault: "the test report is too large to be read" };
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) return { fault: "the test report declares entities, which no runner does" };
  const validity = XMLValidator.validate(xml, { allowBooleanAttributes: false });
  if (validity !== true) {
    return { fault: `the test report is truncated or is no XML (line ${validity.err.line}: ${validity.err.msg})` };
  }
  const cases: JunitCase[] = [];
  try {
    const nodes = parser.parse(xml) as Node[];
    const root = nodes.map(tagOf).find((tag) => tag !== "?xml" && tag !== "#text" && tag !== "");
    if (root !== "testsuites" && root !== "testsuite") return { fault: "the test report is no JUnit report" };
    collect(nodes, [], cases, 0);
  } catch (error) {
    return { fault: `the test report cannot be read: ${(error as Error).message}` };
  }
  return { cases };
}

function collect(nodes: readonly Node[], suites: readonly string[], cases: JunitCase[], depth: number): void {
  if (depth > MAX_DEPTH) throw new Error("it is nested too deeply");
  for (const node of nodes) {
    const tag = tagOf(node);
    const inner = node[tag];
    if (!Array.isArray(inner)) continue;
    const facts = attributesOf(node);
    if (tag === "testcase") cases.push(caseOf(facts, inner, suites));
    else if (tag === "testsuite") collect(inner, [...suites, facts.name ?? ""], cases, depth + 1);
    else if (tag === "testsuites") collect(inner, suites, cases, depth + 1);
  }
}

function caseOf(facts: Record<string, string>, inner: readonly Node[], suites: readonly string[]): JunitCase {
  const part = (tag: string) => inner.find((node) => tagOf(node) === tag);
  const [failure, error, skipped] = [part("failure"), part("error"), part("skipped")];
  const type = skipped ? (attributesOf(skipped).type ?? "") : "";
  const isExpected = /xfail|todo/i.test(type);
  const said = failure ?? error ?? skipped;
  const state: TestState = skipped ? (isExpected ? "xfailed" : "skipped") : failure || error ? "failed" : "passed";
  const properties = (part("properties")?.properties as Node[] | undefined) ?? [];
  return {
    suites: [...suites],
    name: facts.name ?? "",
    classname: facts.classname ?? "",
    file: facts.file ?? "",
    state: skipped && !isExpected && (failure || error) ? "failed" : state,
    isError: error !== undefined,
    message: said ? (attributesOf(said).message ?? "") : "",
    text: said ? textIn(said) : "",
    properties: Object.fromEntries(
      properties
        .filter((node) => tagOf(node) === "property")
        .map((node) => [attributesOf(node).name ?? "", attributesOf(node).value ?? textIn(node)]),
    ),
  };
}

function tagOf(node: Node): string {
  return Object.keys(node).find((key) => key !== ":@") ?? "";
}

function attributesOf(node: Node): Record<string, string> {
  return Object.fromEntries(Object.entries(node[":@"] ?? {}).map(([key, value]) => [key, decode(String(value))]));
}

function textIn(node: Node): string {
  const inner = node[tagOf(node)];
  if (!Array.isArray(inner)) return "";
  return inner.map((child) => (typeof child["#text"] === "string" ? decode(child["#text"]) : "")).join("");
}

const NAMED: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The five entities that XML has, and characters by number; pytest writes bytes that XML cannot hold as #x1B. */
function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED[name as string] ?? whole;
    const code = hex ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
