import { describe, it } from "node:test";
import assert from "node:assert/strict";
import { OutOfStockError, Stock } from "./stock.ts";

function stocked(): Stock {
  const stock = new Stock();
  stock.receive("bolt", 10, 2);
  stock.receive("bolt", 5, 3);
  return stock;
}

describe("stock", () => {
  it("counts what is on hand", () => {
    assert.equal(stocked().onHand("bolt"), 15);
    assert.equal(stocked().onHand("nut"), 0);
  });

  it("takes the oldest first", () => {
    const stock = stocked();
    assert.equal(stock.take("bolt", 12), 26);
    assert.equal(stock.onHand("bolt"), 3);
    assert.equal(stock.value(), 9);
  });

  it("takes everything", () => {
    const stock = stocked();
    assert.equal(stock.take("bolt", 15), 35);
    assert.equal(stock.onHand("bolt"), 0);
  });

  it("tells how much is missing", () => {
    assert.throws(
      () => stocked().take("bolt", 20),
      (e: unknown) => e instanceof OutOfStockError && e.missing === 5,
    );
  });

  it("keeps the stock when there is not enough", () => {
    const stock = stocked();
    assert.throws(() => stock.take("bolt", 16), OutOfStockError);
    assert.equal(stock.onHand("bolt"), 15);
    assert.equal(stock.value(), 35);
  });

  it("refuses an empty receipt", () => {
    assert.throws(() => new Stock().receive("bolt", 0, 1), RangeError);
  });
});
