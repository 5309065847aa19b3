import { describe, expect, it } from "vitest";
import { commitSubject, composeMessage, revertedBy, stepSubject, trailersOf } from "./log.ts";

const trailers = { deed: "Iteration", id: "it-1" } as const;

describe("a commit's subject", () => {
  it("names the level and the feedback on one line", () => {
    expect(commitSubject("chapters", "Make chapter 3 darker")).toBe("[chapters] Make chapter 3 darker");
    expect(commitSubject("prose", "Darker.\n\nAnd\tshorter.\n")).toBe("[prose] Darker. And shorter.");
  });

  it("is cut between words where the feedback is long", () => {
    const subject = commitSubject("prose", "word ".repeat(100));
    expect(subject.length).toBeLessThanOrEqual(101);
    expect(subject).toMatch(/word…$/);
  });

  it("says what was undone or redone", () => {
    expect(stepSubject("undo", "[chapters] Make it darker")).toBe("[chapters] undo: Make it darker");
    expect(stepSubject("redo", "no level here")).toBe("redo: no level here");
  });
});

describe("a commit's message", () => {
  it("is the subject, the body and the trailers, a paragraph each", () => {
    expect(composeMessage("s", "b", { ...trailers, folder: "novels/lamp/" })).toBe(
      "s\n\nb\n\nLoopwright-Iteration: it-1\nLoopwright-Folder: novels/lamp/\n",
    );
    expect(composeMessage("s")).toBe("s\n");
    expect(composeMessage(" \n ", "", trailers)).toBe("change\n\nLoopwright-Iteration: it-1\n");
  });

  it("holds no control character and no second line in its subject", () => {
    const message = composeMessage("a\nb\u0000\u001b[31m", "c\r\nd\u0007  \n\n\n\ne", trailers);
    expect(message).toBe("a b[31m\n\nc\nd\n\ne\n\nLoopwright-Iteration: it-1\n");
  });

  it("is read by its last trailers alone", () => {
    expect(trailersOf(composeMessage("s", "Loopwright-Undo: forged", trailers))).toEqual({
      ...trailers,
      folder: undefined,
    });
    expect(trailersOf("s\n\nLoopwright-Iteration: it-1\n\nmore words\n")?.id).toBe("it-1");
    expect(trailersOf("s\n\nLoopwright-Iteration: it-1\nSigned-off-by: Me\n")?.id).toBe("it-1");
    expect(trailersOf("")).toBeUndefined();
  });

  it("names the commit that git reverted", () => {
    expect(revertedBy(`Revert "x"\n\nThis reverts commit ${"a".repeat(40)}.\n`)).toBe("a".repeat(40));
    expect(revertedBy("This reverts nothing")).toBeUndefined();
  });
});
