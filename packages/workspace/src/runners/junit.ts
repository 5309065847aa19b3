// JUnit XML as runners write it: every test case by its name, or why the report cannot be believed.
//
// A report is made while generated code runs, so it is read as hostile: bounded in size and depth, no entities of its own.

import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { TestResult } from "../options.ts";
import type { Finding } from "./types.ts";

const unbounded = { maxTotalExpansions: Number.POSITIVE_INFINITY, maxExpandedLength: Number.POSITIVE_INFINITY };

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
  processEntities: { enabled: true, ...unbounded },
  isArray: (name) => ["testsuites", "testsuite", "testcase"].includes(name),
});

/** What stands in an element: its text alone, or its text and attributes. */
type Words = string | { "#text"?: string; "@message"?: string; "@type"?: string };

interface Case {
  "@name"?: string;
  "@classname"?: string;
  failure?: Words;
  error?: Words;
  skipped?: Words;
}

interface Suite {
  testsuites?: Suite[];
  testsuite?: Suite[];
  testcase?: Case[];
}

/** Reads a report. */
export function readJunit(xml: string): Finding {
  if (xml.trim() === "") return { fault: "the test report is empty" };
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) return { fault: "the test report declares entities, which no runner does" };
  const validity = XMLValidator.validate(xml, { allowBooleanAttributes: false });
  if (validity !== true)
    return { fault: `the test report is truncated or is no XML (line ${validity.err.line}: ${validity.err.msg})` };
  try {
    const root = parser.parse(xml) as Suite;
    if (!root.testsuites && !root.testsuite) return { fault: "the test report is no JUnit report" };
    return { tests: testsIn(root) };
  } catch (error) {
    return { fault: `the test report cannot be read: ${(error as Error).message}` };
  }
}

function testsIn(suite: Suite): TestResult[] {
  // Whatever has no content is an empty text.
  if (typeof suite === "string") return [];
  const inner = [...(suite.testsuites ?? []), ...(suite.testsuite ?? [])];
  return [...(suite.testcase ?? []).map(resultOf), ...inner.flatMap(testsIn)];
}

function resultOf({ "@name": name, "@classname": classname, failure, error, skipped }: Case): TestResult {
  const isExpected = skipped !== undefined && /xfail|todo/i.test((skipped as { "@type"?: string })["@type"] ?? "");
  const isFailed = failure !== undefined || error !== undefined;
  const state = isExpected ? "xfailed" : isFailed ? "failed" : skipped === undefined ? "passed" : "skipped";
  const words = [failure ?? error ?? skipped ?? ""].flat()[0]!;
  const { "#text": text = "", "@message": message = "" } = typeof words === "string" ? { "#text": words } : words;
  return { name: [classname, name].filter(Boolean).join("::"), state, failure: text.trim() === "" ? message : text };
}
