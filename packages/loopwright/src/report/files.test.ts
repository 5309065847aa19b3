import { html } from "@loopwright/terminal/html";
import { describe, expect, it } from "vitest";
import type { Content, Contents } from "./contents.ts";
import { type Earlier, showDiff, showFiles, showText } from "./files.ts";
import type { SavedFile } from "./story.ts";

const png: Content = { kind: "picture", type: "image/png", base64: "AAAA", width: 300, height: 200 };

/** Files as the page shows them, from their contents by name. */
function shown(given: Record<string, Content>, earlier: Record<string, Earlier> = {}) {
  const files = Object.keys(given).map<SavedFile>((name) => ({
    name,
    artifact: { path: name, digest: "", size: 1_500 },
    href: name.includes("..") ? undefined : `here/${encodeURIComponent(name)}`,
  }));
  const contents: Contents = new Map(files.map((file) => [file, given[file.name]!]));
  const { pictures, others } = showFiles(files, contents, (name) => earlier[name]);
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

const numbered = (count: number, change: (n: number) => string = (n) => `line ${n}`) =>
  `${Array.from({ length: count }, (_, index) => change(index + 1)).join("\n")}\n`;

describe("a whole text", () => {
  it("is shown line by line, escaped", () => {
    expect(showText("a.txt", "<b>\nand\n").text).toBe('<pre tabindex="0">&lt;b&gt;\nand\n</pre>');
  });

  it("is cut where it is long, and says by how much", () => {
    const { text } = showText("a.txt", numbered(1_000));
    expect(text).toContain("line 240\n</pre>");
    expect(text).toContain("760 more lines not shown.");
  });

  it("has its long lines cut", () => {
    expect(showText("a.txt", "x".repeat(5_000)).text).toContain(`${"x".repeat(400)}… (4600 more characters)`);
  });

  it("is set out where it is JSON on one line, and left as it is where it is not", () => {
    expect(showText("a.json", '{"a":[1]}').text).toContain("{\n  &quot;a&quot;: [\n    1\n  ]\n}\n");
    expect(showText("a.json", '{"a":').text).toContain("{&quot;a&quot;:");
    expect(showText("a.json", '{\n "a": 1 }\n').text).toContain("{\n &quot;a&quot;: 1 }\n");
  });
});

describe("a difference", () => {
  it("is nothing where nothing changed", () => {
    expect(showDiff("a.txt", "same\n", "same\n")).toBeUndefined();
    expect(showDiff("a.json", '{"a":1}', '{ "a": 1 }')).toBeUndefined();
  });

  it("shows what went and what came, with a few lines around", () => {
    const after = numbered(100, (n) => (n === 50 ? "line <fifty>" : `line ${n}`));
    const { summary, view } = showDiff("a.txt", numbered(100), after)!;
    expect(summary).toBe("1 line added, 1 removed");
    expect(view.text).toContain(
      "<b>line 47\n</b> line 47\n line 48\n line 49\n<del>-line 50\n</del><ins>+line &lt;fifty&gt;\n</ins>",
    );
    expect(view.text).not.toContain("line 46");
    expect(view.text).not.toContain("line 54");
  });

  it("compares JSON by its parts", () => {
    const { summary, view } = showDiff("a.json", '{"score":0.5,"done":false}', '{"score":0.7,"done":false}')!;
    expect(summary).toBe("1 line added, 1 removed");
    expect(view.text).toContain("<ins>+  &quot;score&quot;: 0.7,\n</ins>");
  });

  it("counts a line that begins with a sign of its own only once", () => {
    expect(showDiff("a.txt", "a\n", "a\n++\n--\n")!.summary).toBe("2 lines added, 0 removed");
    expect(showDiff("a.txt", "@@ x\n", "@@ y\n")!.view.text).toContain("<ins>+@@ y\n</ins>");
  });

  it("is the new text where the two have nothing in common, or all is in another order, and is quick to say so", () => {
    const before = numbered(4_000, (n) => `a${n}`);
    const started = performance.now();
    const others = [numbered(4_000, (n) => `b${n}`), numbered(4_000, (n) => `a${4_001 - n}`)];
    for (const after of others) {
      const { summary, view } = showDiff("a.txt", before, after)!;
      expect(summary).toBe("rewritten");
      expect(view.text).toContain(`${after.split("\n")[239]}\n</pre>`);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("is cut where it is long", () => {
    const { summary, view } = showDiff(
      "a.txt",
      numbered(200),
      numbered(200, (n) => (n % 2 === 0 ? `line ${n}` : `changed ${n}`)),
    )!;
    expect(summary).toBe("100 lines added, 100 removed");
    expect(view.text).toContain("61 more lines not shown.");
  });
});
