import { expect, it } from "vitest";
import { originIn } from "./origins.ts";

it("the last commit that made a level whole says how it came to be", () => {
  const subjects = ["[prose] Darker", "[chapters] derive from prose", "[prose] import moby.md", "[premise] generate"];
  expect(originIn(subjects, "prose")).toBe("imported");
  expect(originIn(subjects, "chapters")).toBe("derived");
  expect(originIn(subjects, "premise")).toBe("generated");
  expect(originIn(["[prose] generate", ...subjects], "prose")).toBe("generated");
  expect(originIn(["[prose] generate more rain"], "prose")).toBeUndefined();
});
