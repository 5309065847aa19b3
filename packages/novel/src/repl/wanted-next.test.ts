import { describe, expect, it } from "vitest";
import { wantedOf } from "./wanted-next.ts";

interface Run {
  target: string;
  feedback: string;
  next?: string;
  status?: string;
  cascade?: object;
  is_follow_up?: boolean;
  after?: string;
}

/** A project as far as it is asked. */
function projectOf(...runs: Run[]) {
  return {
    list: async () =>
      runs.map(({ status = "done", after }, at) => ({ run: `r${at}`, loop: "novel", status, ...(after && { after }) })),
    state: async (name: string) => {
      const { next, feedback, ...input } = runs[Number(name.slice(1))]!;
      return { input: { ...input, feedback: [feedback] }, state: next === undefined ? {} : { next } };
    },
  } as unknown as Parameters<typeof wantedOf>[0];
}

const up = { direction: "up" };

describe("What was wanted next and not begun", () => {
  it("is found with the level that it was said of, over the steps of a cascade and its other notes", async () => {
    const project = projectOf(
      { target: "prose", feedback: "Older", next: "forgotten" },
      { target: "prose", feedback: "Call her Nora" },
      { target: "chapters", feedback: "In line", cascade: up, next: "more rain" },
      { target: "treatment", feedback: "In line", cascade: up, next: "less fog" },
      { target: "chapters", feedback: "more rain", is_follow_up: true, status: "waiting" },
    );
    expect(await wantedOf(project)).toEqual([{ target: "treatment", feedback: "less fog" }]);
  });

  it("is nothing once something else was begun, and does not mix up levels", async () => {
    const begun = { target: "chapters", feedback: "more rain", is_follow_up: true };
    const said = { target: "prose", feedback: "Darker", next: "more rain" };
    expect(await wantedOf(projectOf(said, { target: "prose", feedback: "Colder" }))).toEqual([]);
    expect(await wantedOf(projectOf(said, begun))).toEqual([{ target: "prose", feedback: "more rain" }]);
    expect(await wantedOf(projectOf(said, { ...begun, target: "prose" }))).toEqual([]);
  });

  it("is found in a run that took over from another", async () => {
    const feedback = "If it is light, darker";
    const project = projectOf(
      { target: "prose", feedback, status: "superseded" },
      { target: "prose", feedback, after: "r0", next: "more rain" },
    );
    expect(await wantedOf(project)).toEqual([{ target: "prose", feedback: "more rain" }]);
  });
});
