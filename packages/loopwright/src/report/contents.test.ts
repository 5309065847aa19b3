import { describe, expect, it } from "vitest";
import { hullPicture } from "../../../../test/fakes/boat-loop.ts";
import { loadContents } from "./contents.ts";
import type { SavedFile } from "./story.ts";

/** Sections of files by name, and a store that counts what is asked of it. */
function filesOf(...sections: Record<string, Uint8Array | string | Error>[]) {
  const store = new Map<string, Uint8Array | Error>();
  const asked: string[] = [];
  const made = sections.map((files, index) => ({
    files: new Map(
      Object.entries(files).map(([name, given]) => {
        const bytes = typeof given === "string" ? Buffer.from(given) : given;
        const digest = `${index}:${name}`;
        store.set(digest, bytes);
        const size = bytes instanceof Error ? 10 : bytes.byteLength;
        return [name, { name, artifact: { path: name, digest, size }, href: name } satisfies SavedFile];
      }),
    ),
  }));
  const load = async ({ digest }: { digest: string }) => {
    asked.push(digest);
    const found = store.get(digest)!;
    if (found instanceof Error) throw found;
    return found;
  };
  const kinds = async (budget?: { picture: number; text: number }) => {
    const contents = await loadContents(made, load, budget);
    return Object.fromEntries([...contents].map(([file, content]) => [file.artifact.digest, content.kind]));
  };
  return { made, load, asked, kinds };
}

describe("the contents of files", () => {
  const picture = hullPicture(0.5, "side", 32);

  it("are pictures, texts, and links to the rest", async () => {
    const { made, load } = filesOf({ "a.png": picture, "b.txt": "two\r\nlines\n", "c.glb": Uint8Array.of(1, 0, 2) });
    const [first, second, third] = [...(await loadContents(made, load)).values()];
    expect(first).toEqual({
      kind: "picture",
      type: "image/png",
      width: 32,
      height: 32,
      base64: Buffer.from(picture).toString("base64"),
    });
    expect(second).toEqual({ kind: "text", text: "two\nlines\n" });
    expect(third).toEqual({ kind: "linked", why: "" });
  });

  it("are pictures by their names, with the size of a PNG", async () => {
    const { made, load } = filesOf({ "a.SVG": "<svg onload=alert(1)>", "b.jpeg": "x", "c.png": "<svg>" });
    const shown = [...(await loadContents(made, load)).values()];
    expect(shown.map((content) => "type" in content && content.type)).toEqual([
      "image/svg+xml",
      "image/jpeg",
      "image/png",
    ]);
    for (const content of shown) expect(content).not.toHaveProperty("width");
  });

  it("are no text where they are not UTF-8 or have control characters; a colored log is one", async () => {
    const { kinds } = filesOf({ bad: Uint8Array.of(0xc3, 0x28), bell: "a\u0007b", log: "\u001b[31mred\u001b[0m\tx\n" });
    expect(await kinds()).toEqual({ "0:bad": "linked", "0:bell": "linked", "0:log": "text" });
  });

  it("stay within the budget, in the order given, and a smaller picture may still fit", async () => {
    const large = hullPicture(0.5, "side", 200);
    const { kinds, asked } = filesOf({ "a.png": picture }, { "b.png": large }, { "c.png": picture });
    const budget = picture.byteLength * 2 + 1;
    expect(await kinds({ picture: budget, text: 0 })).toEqual({
      "0:a.png": "picture",
      "1:b.png": "linked",
      "2:c.png": "picture",
    });
    expect(asked).toEqual(["0:a.png", "2:c.png"]);
  });

  it("are texts up to a budget of their own", async () => {
    const { kinds } = filesOf({ "a.txt": "x".repeat(60), "b.txt": "x".repeat(60), "c.txt": "x" });
    expect(await kinds({ picture: 0, text: 100 })).toEqual({
      "0:a.txt": "text",
      "0:b.txt": "linked",
      "0:c.txt": "text",
    });
  });

  it("are not even loaded where they are too large to show", async () => {
    const { kinds, asked } = filesOf({ "big.txt": "x".repeat(70_000) });
    expect(await kinds()).toEqual({ "0:big.txt": "linked" });
    expect(asked).toEqual([]);
  });

  it("say so where their bytes are gone", async () => {
    const { made, load } = filesOf({ "a.png": new Error("released"), "b.txt": new Error("missing") });
    for (const content of (await loadContents(made, load)).values()) {
      expect(content).toEqual({ kind: "linked", why: "its bytes are gone: released, or missing from the store" });
    }
  });

  it("are looked at for so many files of one section and no more", async () => {
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`${index}.txt`, "x"]));
    const { kinds } = filesOf(many);
    expect(Object.keys(await kinds())).toHaveLength(60);
  });
});
