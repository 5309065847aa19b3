import { test } from "node:test";
import assert from "node:assert/strict";
import { mix, parseHex, toHex, toHsl } from "./color.ts";

test("parses long and short forms", () => {
  assert.deepEqual(parseHex("#ff8000"), [255, 128, 0]);
  assert.deepEqual(parseHex("0Af"), [0, 170, 255]);
});

test("refuses anything else", () => {
  assert.throws(() => parseHex("#12345"));
  assert.throws(() => parseHex("red"));
});

test("hex of a bright color", () => {
  assert.equal(toHex([255, 160, 16]), "#ffa010");
});

test("hex of a dark color", () => {
  assert.equal(toHex([0, 10, 255]), "#000aff");
});

test("hsl of the primaries", () => {
  assert.deepEqual(toHsl([255, 0, 0]), [0, 100, 50]);
  assert.deepEqual(toHsl([0, 255, 0]), [120, 100, 50]);
  assert.deepEqual(toHsl([0, 0, 255]), [240, 100, 50]);
});

test("hsl of a rose", () => {
  assert.deepEqual(toHsl([255, 0, 128]), [330, 100, 50]);
});

test("hsl of gray", () => {
  assert.deepEqual(toHsl([51, 51, 51]), [0, 0, 20]);
});

test("mix", () => {
  assert.deepEqual(mix([0, 0, 0], [200, 100, 50]), [100, 50, 25]);
  assert.deepEqual(mix([0, 0, 0], [200, 100, 40], 0.25), [50, 25, 10]);
});
