import { XMLParser, XMLValidator } from "fast-xml-parser";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { Book } from "./book.ts";
import { exportEpub } from "./epub.ts";

const hard: Book = {
  title: 'Salt & "Smoke" <1>',
  author: "A. & B.",
  language: "en",
  chapters: [
    {
      title: "../../etc/passwd & <b>",
      markdown:
        '# A heading\n\n"Quote" & <script>alert(1)</script> ]]> <!-- keep -->😀 *em **both***<!-- /keep -->\n\n***\n\n> q\n\n- a\n  1. b\n\n[l](https://x.y/?a="b"&c=<d>) [bad](javascript:x) n[^1]\n\n```\n<&>\n```\n\n[^1]: Note & text.',
    },
    { title: "", markdown: "שלום <b>עולם</b>\n\nEnglish again." },
    { title: "Empty", markdown: "" },
  ],
};

/** The files of an EPUB, each of them checked for being XML if it should be. */
function open(book: Book): Record<string, string> {
  const files = Object.fromEntries(
    Object.entries(unzipSync(exportEpub(book))).map(([name, bytes]) => [name, strFromU8(bytes)]),
  );
  for (const [name, text] of Object.entries(files)) {
    if (/\.(?:xml|xhtml|opf)$/.test(name)) expect(XMLValidator.validate(text), name).toBe(true);
    expect(name).toMatch(/^(?:mimetype|META-INF\/container\.xml|OEBPS\/[a-z0-9-]+\.(?:opf|css|xhtml))$/);
  }
  return files;
}

function attributes(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value]) => value!);
}

/** All text of a page, as a reader shows it. */
function textOf(xml: string): string {
  const parser = new XMLParser({ preserveOrder: true, trimValues: false, processEntities: true });
  const walk = (nodes: Record<string, unknown>[]): string =>
    nodes
      .map((node) =>
        Object.entries(node)
          .map(([key, value]) => (key === "#text" ? String(value) : Array.isArray(value) ? walk(value) : ""))
          .join(""),
      )
      .join("");
  return walk(parser.parse(xml.slice(xml.indexOf("<body>"))));
}

describe("an EPUB file", () => {
  it("begins with its bare media type, as readers look for it", () => {
    const bytes = exportEpub(hard);
    expect(strFromU8(bytes.subarray(0, 4))).toBe("PK\u0003\u0004");
    expect(bytes[8]! + bytes[9]!, "stored").toBe(0);
    expect(bytes[28]! + bytes[29]!, "no extra field").toBe(0);
    expect(strFromU8(bytes.subarray(30, 58))).toBe("mimetypeapplication/epub+zip");
  });

  it("has a page for each chapter, and every file that it names is in it", () => {
    const files = open(hard);
    const opf = files["OEBPS/content.opf"]!;
    const named = attributes(opf, "href");
    expect(named.map((name) => `OEBPS/${name}`).sort()).toEqual(
      Object.keys(files)
        .filter((name) => name.startsWith("OEBPS/") && !name.endsWith(".opf"))
        .sort(),
    );
    expect(named.filter((name) => name.startsWith("chapter"))).toEqual([
      "chapter-001.xhtml",
      "chapter-002.xhtml",
      "chapter-003.xhtml",
    ]);
    expect(attributes(opf, "idref")).toEqual(["title", "chapter-001", "chapter-002", "chapter-003"]);
    const ids = attributes(opf, "id");
    expect(new Set(ids).size).toBe(ids.length);
    expect(files["META-INF/container.xml"]).toContain('full-path="OEBPS/content.opf"');
  });

  it("has links that lead to its own files or to the web, nowhere else", () => {
    const files = open(hard);
    const inside = Object.entries(files).flatMap(([name, text]) =>
      name.endsWith(".xhtml") ? [...attributes(text, "href"), ...attributes(text, "src")] : [],
    );
    for (const link of inside) {
      if (!/^https?:/.test(link)) expect(Object.keys(files)).toContain(`OEBPS/${link}`);
    }
    expect(inside).toContain("https://x.y/?a=%22b%22&amp;c=%3Cd%3E");
    expect(JSON.stringify(inside)).not.toContain("javascript");
  });

  it("names its chapters in the navigation", () => {
    const files = open(hard);
    const titles = ["Salt &amp; &quot;Smoke&quot; &lt;1&gt;", "../../etc/passwd &amp; &lt;b&gt;", "Chapter 2", "Empty"];
    expect(
      [...files["OEBPS/nav.xhtml"]!.matchAll(/<li><a href="[^"]+">(.*?)<\/a>/g)].map(([, title]) => title),
    ).toEqual(titles);
  });

  it("shows the writer's text and nothing of comments, tags as text", () => {
    const text = textOf(open(hard)["OEBPS/chapter-001.xhtml"]!);
    expect(text).toContain('"Quote" & <script>alert(1)</script> ]]> 😀 em both');
    expect(text).toContain("<&>");
    expect(text).toContain("[^1]: Note & text.");
    expect(text).not.toContain("keep");
    expect(open(hard)["OEBPS/chapter-001.xhtml"]).not.toContain("<script");
  });

  it("writes each kind of block as the element that means it", () => {
    const page = open({
      title: "T",
      chapters: [
        {
          title: "One",
          markdown:
            "# In\n\n## Deeper\n\na *b* **c** ~~d~~ `e`\\\nf\n\n***\n\n> q\n\n3. x\n4. y\n   - z\n\nn[^1]\n\n[^1]: N",
        },
      ],
    })["OEBPS/chapter-001.xhtml"]!;
    const body = page.slice(page.indexOf("<body>") + 7, page.indexOf("</body>")).replace(/\n/g, "");
    expect(body).toBe(
      "<h1>One</h1><h2>In</h2><h3>Deeper</h3><p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code><br/>f</p><hr/>" +
        '<blockquote><p>q</p></blockquote><ol start="3"><li>x</li><li>y<ul><li>z</li></ul></li></ol>' +
        "<p>n[^1]</p><p>[^1]: N</p>",
    );
  });

  it("does not say a chapter's title twice where its text begins with it", () => {
    const page = open({ title: "T", chapters: [{ title: "The Inn", markdown: "# The *Inn*\n\nText." }] })[
      "OEBPS/chapter-001.xhtml"
    ]!;
    expect(page.match(/Inn<|Inn</g)).toHaveLength(2);
    expect(page).toContain("<h1>The Inn</h1>\n<p>Text.</p>");
  });

  it("turns whole books in a language that runs the other way", () => {
    const files = open({ title: "ספר", language: "he", chapters: [{ title: "א", markdown: "שלום" }] });
    expect(files["OEBPS/chapter-001.xhtml"]).toContain('lang="he" xml:lang="he" dir="rtl"');
    expect(files["OEBPS/content.opf"]).toContain('page-progression-direction="rtl"');
  });

  it("gives the same bytes for the same book, and the same identifier for its revisions", () => {
    expect(exportEpub(hard)).toEqual(exportEpub(structuredClone(hard)));
    const identifier = (book: Book) => /urn:uuid:[0-9a-f-]+/.exec(open(book)["OEBPS/content.opf"]!)![0];
    expect(identifier({ ...hard, chapters: [] })).toBe(identifier(hard));
    expect(identifier({ ...hard, title: "Other" })).not.toBe(identifier(hard));
    expect(open({ ...hard, date: new Date("2026-05-06T07:08:09.123Z") })["OEBPS/content.opf"]).toContain(
      '<meta property="dcterms:modified">2026-05-06T07:08:09Z</meta>',
    );
  });

  it("is whole for a book without chapters, titles or language", () => {
    const files = open({ title: "", chapters: [] });
    expect(files["OEBPS/content.opf"]).toContain("<dc:title>Untitled</dc:title>");
    expect(files["OEBPS/content.opf"]).toContain("<dc:language>und</dc:language>");
    expect(attributes(files["OEBPS/content.opf"]!, "idref")).toEqual(["title"]);
    expect(files["OEBPS/nav.xhtml"]).toContain('<li><a href="title.xhtml">Untitled</a></li>');
    expect(files["OEBPS/title.xhtml"]).not.toContain("lang=");
  });
});
