import { describe, expect, it } from "vitest";
import { readJunit } from "./junit.ts";

const report = (inner: string) => `<?xml version="1.0" encoding="utf-8"?><testsuites>${inner}</testsuites>`;
const states = (inner: string) => readJunit(report(inner)).tests?.map(({ name, state }) => [name, state]);

describe("a JUnit report", () => {
  it("tells passed, failed, broken, skipped and expected failures apart, in order", () => {
    const inner = `<testsuite name="s">
      <testcase name="a" classname="c"/>
      <testcase name="b"><failure message="m">text</failure></testcase>
      <testcase name="c"><error message="m"/></testcase>
      <testcase name="d"><skipped type="pytest.skip" message="why"/></testcase>
      <testcase name="e"><skipped type="pytest.xfail" message="why"/></testcase>
      <testcase name="f"><skipped type="todo"/><failure message="m"/></testcase>
      <testcase name="g"><skipped/><error message="teardown"/></testcase>
    </testsuite>`;
    expect(states(inner)).toEqual([
      ["c::a", "passed"],
      ["b", "failed"],
      ["c", "failed"],
      ["d", "skipped"],
      ["e", "xfailed"],
      ["f", "xfailed"],
      ["g", "failed"],
    ]);
  });

  it("gives message or text, with entities decoded, and what stands in suites of suites", () => {
    const inner = `<testsuite name="outer"><testsuite name="inner"><testcase name="a&#10;b" classname="c">
      <properties><property name="id" value="x"/></properties>
      <failure message="m">line &quot;1&quot;\nline 2</failure></testcase></testsuite>
      <testcase name="d"><failure message="1 &lt; 2&#x21;"/></testcase></testsuite>`;
    expect(readJunit(report(inner)).tests).toEqual([
      { name: "d", state: "failed", failure: "1 < 2!" },
      { name: "c::a\nb", state: "failed", failure: 'line "1"\nline 2' },
    ]);
  });

  it("does not decode twice", () => {
    expect(readJunit(report(`<testcase name="&amp;lt;&amp;#65;"/>`)).tests![0]!.name).toBe("&lt;&#65;");
  });

  it.each([
    ["empty", "", "is empty"],
    ["cut off", `<testsuites><testsuite name="s"><testcase name="a"/>`, "truncated"],
    ["cut inside a tag", `<testsuites><testcase name="a"`, "truncated"],
    ["no XML", "all tests passed", "truncated or is no XML"],
    ["another document", "<html><testcase name='a'/></html>", "is no JUnit report"],
    ["with entities of its own", `<!DOCTYPE x [<!ENTITY a "b">]><testsuites>&a;</testsuites>`, "declares entities"],
    ["nested without end", `${"<testsuite name='x'>".repeat(500)}${"</testsuite>".repeat(500)}`, "cannot be read"],
  ])("that is %s is a fault, never a pass", (_, xml, words) => {
    const result = readJunit(xml);
    expect(result.tests).toBeUndefined();
    expect(result.fault).toContain(words);
  });

  it("without tests has none", () => {
    expect(readJunit("<testsuites/>").tests ?? []).toEqual([]);
  });

  it("of ten thousand failing tests is read whole", () => {
    const inner = Array.from(
      { length: 10_000 },
      (_, at) => `<testcase name="t${at}"><failure>&lt;&gt;&amp;</failure></testcase>`,
    );
    const { tests } = readJunit(report(inner.join("")));
    expect(tests).toHaveLength(10_000);
    expect(tests!.at(-1)!.failure).toBe("<>&");
  });
});
