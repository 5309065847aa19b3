import { html } from "@loopwright/terminal/html";
import { describe, expect, it } from "vitest";
import type { Content, Contents } from "../contents.ts";
import type { SavedFile } from "../story.ts";
import { type Earlier, showFiles } from "./files.ts";

const png: Content = { kind: "picture", type: "image/png", base64: "AAAA", width: 300, height: 200 };

/** Files as the page shows them, from their contents by name. */
function shown(given: Record<string, Content>, earlier: Record<string, Earlier> = {}, room = 100_000) {
  const files = Object.keys(given).map<SavedFile>((name) => ({
    name,
    artifact: { path: name, digest: "", size: 1_500 },
    href: name.includes("..") ? undefined : `here/${encodeURIComponent(name)}`,
  }));
  const contents: Contents = new Map(files.map((file) => [file, given[file.name]!]));
  const { pictures, others } = showFiles(files, contents, (name) => earlier[name], room);
  return { pictures: html`${pictures}`.text, others: html`${others}`.text };
}

describe("pictures", () => {
  it("stand in a grid, each with its name and a link to its file", () => {
    const { pictures, others } = shown({ "a.png": png });
    expect(pictures).toBe(`<div class="pictures">
<figure><img alt="a.png" width="300" height="200" src="data:image/png;base64,AAAA"><figcaption><a href="here/a.png">a.png</a></figcaption></figure>
</div>
`);
    expect(others).toBe("");
  });

  it("take the whole width where they are broad", () => {
    const { pictures } = shown({ "a.png": { ...png, width: 900 }, "b.png": png });
    expect(pictures.match(/<figure class="broad">/g)).toHaveLength(1);
  });

  it("go without measures that are not known", () => {
    const { pictures } = shown({ "a.jpg": { kind: "picture", type: "image/jpeg", base64: "AAAA" } });
    expect(pictures).toContain('<img alt="a.jpg" src="data:image/jpeg');
  });

  it("cannot break out by their names", () => {
    expect(shown({ '"><script>.png': png }).pictures).toContain(
      '<img alt="&quot;&gt;&lt;script&gt;.png" width="300" height="200" src=',
    );
  });
});

describe("texts", () => {
  const text = (given: string): Content => ({ kind: "text", text: given });

  it("are whole where they are new", () => {
    const { others } = shown({ "a.txt": text("new\n") });
    expect(others).toContain(
      '<summary><span>a.txt</span> <span class="dim">1.5 kB</span></summary><pre tabindex="0">new\n</pre>',
    );
    expect(others).toContain('<a href="here/a.txt">open the file</a>');
  });

  it("are what changed since the iteration before", () => {
    const { others } = shown({ "a.txt": text("b\n") }, { "a.txt": { iteration: 3, text: "a\n" } });
    expect(others).toContain("1 line added, 1 removed since iteration 3");
    expect(others).toContain("<del>-a\n</del><ins>+b\n</ins>");
    expect(shown({ a: text("b") }, { a: { iteration: 0, text: "a" } }).others).toContain("since the start");
  });

  it("are a line where nothing changed, or there is nothing in them", () => {
    const { others } = shown({ "a.txt": text("a"), "b.txt": text("") }, { "a.txt": { iteration: 2, text: "a" } });
    expect(others).toContain(">a.txt</a> is as in iteration 2.");
    expect(others).toContain(">b.txt</a> is empty.");
    expect(others).not.toContain("<details>");
  });

  it("are only linked once their room is used up", () => {
    const long = text(`${"a line\n".repeat(100)}`);
    const { others } = shown({ "a.txt": long, "b.txt": long }, {}, 1_500);
    expect(others.match(/<details>/g)).toHaveLength(1);
    expect(others).toContain('>b.txt</a> <span class="dim">1.5 kB, left out to keep this page small</span>');
  });
});

describe("other files", () => {
  it("are linked with their size, and with the reason where there is one", () => {
    const { others } = shown({ "a.glb": { kind: "linked", why: "" }, "b.txt": { kind: "linked", why: "too large" } });
    expect(others).toContain('<li><a href="here/a.glb">a.glb</a> <span class="dim">1.5 kB</span></li>');
    expect(others).toContain('<li><a href="here/b.txt">b.txt</a> <span class="dim">1.5 kB, too large</span></li>');
  });

  it("are only named where no address leads to them", () => {
    expect(shown({ "..x": { kind: "linked", why: "" } }).others).toContain('<li>..x <span class="dim">');
  });

  it("are counted where there are very many", () => {
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [`${n}.bin`, { kind: "linked", why: "" } as const]),
    );
    const { others } = shown(many);
    expect(others.match(/<li>/g)).toHaveLength(121);
    expect(others).toContain("<li>and 30 more files</li>");
  });
});
