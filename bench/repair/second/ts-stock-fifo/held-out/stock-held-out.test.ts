import { test } from "node:test";
import assert from "node:assert/strict";
import { OutOfStockError, Stock } from "./stock.ts";

test("a smaller order goes through after a failed one at the right cost", () => {
  const stock = new Stock();
  stock.receive("pen", 4, 10);
  stock.receive("pen", 4, 20);
  assert.throws(() => stock.take("pen", 9), OutOfStockError);
  assert.equal(stock.take("pen", 5), 60);
  assert.equal(stock.onHand("pen"), 3);
});

test("a failed order after a partial take", () => {
  const stock = new Stock();
  stock.receive("pen", 4, 10);
  stock.take("pen", 1);
  assert.throws(() => stock.take("pen", 4), (e: unknown) => e instanceof OutOfStockError && e.missing === 1);
  assert.equal(stock.onHand("pen"), 3);
  assert.equal(stock.value(), 30);
});

test("other goods are not touched", () => {
  const stock = new Stock();
  stock.receive("pen", 1, 10);
  stock.receive("ink", 2, 7);
  assert.throws(() => stock.take("pen", 2), OutOfStockError);
  assert.equal(stock.value(), 24);
});

test("unknown goods", () => {
  assert.throws(() => new Stock().take("x", 3), (e: unknown) => e instanceof OutOfStockError && e.missing === 3);
  assert.equal(new Stock().take("x", 0), 0);
});

test("the message names the shortage", () => {
  const stock = new Stock();
  stock.receive("cap", 2, 1);
  assert.throws(() => stock.take("cap", 6), { name: "OutOfStockError", message: "4 short of cap" });
});
