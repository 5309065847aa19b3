// Tests of ours in the process of every test file: two must fail, and of the others each passes or fails by lot. A runner that was
// patched to pass everything is found out by them, and so is a report that was written by hand.

import { randomBytes } from "node:crypto";

export interface Canary {
  name: string;
  fails: boolean;
}

const BY_LOT = 6;
const TAMPERED = "The tests' judge was tampered with";

/** Tests for one run, under names that no other run has. */
export function drawCanaries(): Canary[] {
  const lots = [...randomBytes(BY_LOT)].map((byte) => byte % 2 === 0);
  return [true, true, ...lots].map((fails) => ({ name: `test_${randomBytes(6).toString("hex")}`, fails }));
}

/** Why results of these tests show that the judge was tampered with; undefined where they are what they must be. */
export function tamperedWith(canaries: readonly Canary[], states: ReadonlyMap<string, string>): string | undefined {
  const isRight = ({ name, fails }: Canary) => states.get(name) === (fails ? "failed" : "passed");
  return canaries.every(isRight) && states.size === canaries.length
    ? undefined
    : `${TAMPERED}: tests of its own that must fail did not.`;
}

/** Whether that is why a run gave no results. */
export function isTampered(fault: string): boolean {
  return fault.includes(TAMPERED);
}

/** The tests as a module for pytest. */
export function canariesInPython(canaries: readonly Canary[]): string {
  return canaries
    .map(({ name, fails }, index) => {
      const [a, b] = [...randomBytes(2)] as [number, number];
      const body =
        index === 1 ? 'raise ValueError("this must be seen")' : `assert ${a} + ${b} == ${a + b + (fails ? 1 : 0)}`;
      return `def ${name}():\n    ${body}\n`;
    })
    .join("\n\n");
}

/** The tests as statements in which `test` and `same` are known. */
export function canariesInScript(canaries: readonly Canary[]): string {
  return canaries
    .map(({ name, fails }, index) => {
      const [a, b] = [...randomBytes(2)] as [number, number];
      const body =
        index === 1 ? 'throw new Error("this must be seen")' : `same(${a} + ${b}, ${a + b + (fails ? 1 : 0)})`;
      return `test(${JSON.stringify(name)}, () => { ${body}; });`;
    })
    .join("\n");
}
