import { expect, it } from "vitest";
import { BUDGETS, budgetsIn } from "./budget.ts";

it("is as it was where nothing is said of a window, or one is no larger than usual", () => {
  expect(budgetsIn()).toEqual(BUDGETS);
  expect(budgetsIn({ consultant: 32_768, implementer: 16_000, reviewer: 8_000 })).toEqual(BUDGETS);
});

it("has the same share of a larger window, each role of its own", () => {
  const { planner, map, plannerSeen, implementer } = budgetsIn({ consultant: 122_880 });
  expect({ planner, map, plannerSeen, implementer }).toEqual({
    ...{ planner: 32_000, map: 12_000, plannerSeen: 120_000 },
    implementer: BUDGETS.implementer,
  });
});

it("shows a program to implementer and reviewer as the smaller of their windows lets it", () => {
  expect(budgetsIn({ implementer: 64_000 })).toMatchObject({ implementer: 4_500, implementerSeen: 64_000 });
  expect(budgetsIn({ implementer: 64_000, reviewer: 32_000 })).toMatchObject({ implementer: 9_000, targets: 4_000 });
});
