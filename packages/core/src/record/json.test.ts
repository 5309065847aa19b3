import { describe, expect, it } from "vitest";
import { digestOf, plainJson } from "./json.ts";

describe("plain JSON", () => {
  it.each([
    ["NaN", { a: Number.NaN }, "value.a is NaN"],
    ["a date", { a: [new Date()] }, "value.a[0] is an instance of Date"],
    ["bytes", { a: new Uint8Array(2) }, "an instance of Uint8Array"],
    ["a class instance", new (class Boat {})(), "an instance of Boat"],
    ["a function", { f: () => 1 }, "value.f is a function"],
    ["undefined in a list", [undefined], "value[0] is a undefined"],
    ["a bigint", 1n, "a bigint"],
    ["a key __proto__", JSON.parse('{"__proto__":1}'), "__proto__"],
  ])("refuses %s and names the place", (_name, value, message) => {
    expect(() => plainJson(value)).toThrow(message);
  });

  it("refuses a cycle, but not the same object twice", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => plainJson(cycle)).toThrow("value.self is a cycle");
    const shared = { a: 1 };
    expect(plainJson([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it("refuses nesting that would overflow the stack", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(() => plainJson(deep)).toThrow("nested deeper");
  });

  it("gives a frozen copy, and leaves out what is undefined", () => {
    const value = { list: [1], gone: undefined };
    const plain = plainJson(value) as { list: number[] };
    expect(plain).toEqual({ list: [1] });
    expect("gone" in plain).toBe(false);
    expect(() => plain.list.push(2)).toThrow();
    expect(value.list).toEqual([1]);
  });

  it("has the same digest whatever the order of keys", () => {
    expect(digestOf({ a: 1, b: { c: 2, d: 3 } })).toBe(digestOf({ b: { d: 3, c: 2 }, a: 1 }));
    expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: 2 }));
  });
});
