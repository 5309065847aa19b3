import assert from "node:assert/strict";
import { test } from "node:test";
import { daysLate, fineOf, type Loan, lateTitles, owed } from "./fines.ts";

const adult = { isChild: false };
const book = (days: number, title = "A book"): Loan => ({ title, days, kind: "book" });
const film = (days: number, title = "A film"): Loan => ({ title, days, kind: "film" });

test("a book in time is not late", () => assert.equal(daysLate(book(21)), 0));
test("a film is late after a week", () => assert.equal(daysLate(film(9)), 2));
test("the first two days are free", () => assert.equal(fineOf(book(23)), 0));
test("the third day costs", () => assert.equal(fineOf(film(10)), 50));
test("no fine is above the most", () => assert.equal(fineOf(film(400)), 2_000));
test("nothing lent, nothing owed", () => assert.equal(owed([], adult), 0));
test("one loan owes its fine", () => assert.equal(owed([book(26)], adult), 60));
test("two loans owe both fines", () => assert.equal(owed([book(26), film(10)], adult), 110));
test("what is in time adds nothing", () => assert.equal(owed([book(26), film(2)], adult), 60));
test("three loans owe all three", () => assert.equal(owed([film(10), film(11), book(24)], adult), 170));
test("a child pays half", () => assert.equal(owed([book(26), film(10)], { isChild: true }), 55));
test("the latest comes first", () =>
  assert.deepEqual(lateTitles([book(22, "one"), film(30, "two"), book(3, "three")]), ["two", "one"]));
