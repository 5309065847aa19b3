import { test } from "node:test";
import assert from "node:assert/strict";
import { parseHex, toHex, toHsl } from "./color.ts";

test("hex there and back", () => {
  for (const hex of ["#000000", "#010203", "#0f0f0f", "#10000a", "#ffffff", "#a0b0c0"]) {
    assert.equal(toHex(parseHex(hex)), hex);
  }
});

test("magenta and crimson", () => {
  assert.deepEqual(toHsl([255, 0, 255]), [300, 100, 50]);
  assert.deepEqual(toHsl([255, 0, 64]), [345, 100, 50]);
});

test("hue stays below 360", () => {
  for (let blue = 0; blue <= 255; blue++) {
    const [hue] = toHsl([255, 0, blue]);
    assert.ok(hue >= 0 && hue < 360, `${blue}: ${hue}`);
  }
});

test("the other hues", () => {
  assert.deepEqual(toHsl([255, 255, 0]), [60, 100, 50]);
  assert.deepEqual(toHsl([0, 255, 255]), [180, 100, 50]);
  assert.deepEqual(toHsl([128, 0, 255]), [270, 100, 50]);
  assert.deepEqual(toHsl([255, 128, 0]), [30, 100, 50]);
});

test("a muted pink", () => {
  assert.deepEqual(toHsl([204, 102, 153]), [330, 50, 60]);
});
