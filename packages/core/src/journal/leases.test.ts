import { describe, expect, it } from "vitest";
import { lifeOf, thisProcess } from "./leases.ts";

const self = thisProcess();

describe("L4: whether a process lives", () => {
  it("is known of this one, and of one whose number is free or was given to another", () => {
    expect(lifeOf(self, self)).toBe("alive");
    expect(lifeOf({ ...self, pid: 2 ** 30 }, self)).toBe("dead");
    expect(lifeOf({ ...self, started: "1" }, self)).toBe("dead");
  });

  it("is not known of one in another namespace or of another boot", () => {
    expect(lifeOf({ ...self, namespace: "pid:[7]" }, self)).toBe("elsewhere");
    expect(lifeOf({ ...self, boot: "b" }, self)).toBe("elsewhere");
  });

  it("is taken for granted where its start is not known, and only its number tells", () => {
    expect(lifeOf({ ...self, started: "" }, self)).toBe("alive");
    expect(lifeOf({ ...self, started: "", pid: 2 ** 30 }, self)).toBe("dead");
  });
});
