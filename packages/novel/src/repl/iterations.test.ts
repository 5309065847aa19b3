import { expect, it } from "vitest";
import { numberAfter } from "./drive.ts";
import { taskOf } from "./iterations.ts";
import type { RoleName, Roles } from "./session.ts";

it("a change is packed for the narrower of two judges", () => {
  const windows: Partial<Record<RoleName, number>> = { judge: 200_000, "second-judge": 8_192, summarizer: 16_384 };
  const roles: Roles = {
    has: (role) => windows[role] !== undefined,
    nameOf: (role) => (windows[role] === undefined ? undefined : `local:${role}`),
    windowOf: (role) => windows[role],
  };
  const request = { kind: "iterate", target: "prose", feedback: ["Darker"] } as const;
  const project = { title: "The Lamp" } as Parameters<typeof taskOf>[1]["project"];
  const task = taskOf({ ...request, feedback: [...request.feedback] }, { project, roles, mayAskBack: true });
  expect(task).toMatchObject({
    ...{ has_judge: true, has_second_judge: true, may_ask_back: true },
    windows: {
      judge: { model: "local:second-judge", context: 8_192 },
      summarizer: { model: "local:summarizer", context: 16_384 },
    },
  });
});

it("no two iterations of a book have one number, whatever became of them", () => {
  expect(numberAfter(0, [])).toBe(1);
  expect(numberAfter(3, ["20261119-101500_ask"])).toBe(4);
  const rejected = ["20261119-101500_iteration-4-of-this-book", "20261119-111500_iteration-12-of-this-book"];
  expect(numberAfter(3, rejected)).toBe(13);
});
