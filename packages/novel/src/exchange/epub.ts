// EPUB 3: a title page and a page for each chapter, with a table of contents.

import { createHash } from "node:crypto";
import { strToU8, type Zippable, zipSync } from "fflate";
import type { Tokens } from "marked";
import { type Book, chapterBlocks, markdownReader, type SoundBook, safeHref, soundBook } from "./book.ts";

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const CSS = `body { margin: 0 5%; }
h1, h2, h3, h4, h5, h6 { font-weight: normal; text-align: center; margin: 2em 0 1em; }
p { margin: 0; text-indent: 1.5em; }
h1 + p, h2 + p, h3 + p, hr + p, blockquote p, li p, .author { text-indent: 0; }
hr { border: 0; border-top: 1px solid; margin: 1.5em auto; width: 20%; }
blockquote { margin: 1em 2em; }
pre { white-space: pre-wrap; }
.author { text-align: center; }
`;

// Zip dates are local times: this one has the same digits everywhere.
const ALWAYS = new Date(2000, 0, 1, 12);

interface Page {
  name: string;
  title: string;
  body: string;
  /** Whether it stands in the table of contents; front matter without a title does not. */
  isListed?: boolean;
}

/** The book as an EPUB file. The same book gives the same bytes. */
export function exportEpub(book: Book): Uint8Array {
  const sound = soundBook(book);
  const pages = [titlePage(sound), ...chapterPages(sound)];
  const listed = pages.filter(({ isListed = true }) => isListed);
  const files = {
    "META-INF/container.xml": container,
    "OEBPS/content.opf": packageFile(sound, pages),
    "OEBPS/nav.xhtml": page(sound, { name: "nav", title: sound.title, body: navigation(sound, listed) }),
    "OEBPS/style.css": CSS,
    ...Object.fromEntries(pages.map((each) => [`OEBPS/${each.name}.xhtml`, page(sound, each)])),
  };
  // The first file of every EPUB, and bare, so that its kind can be told from its first bytes.
  const entries: Zippable = { mimetype: [strToU8("application/epub+zip"), { level: 0, mtime: ALWAYS }] };
  for (const [name, content] of Object.entries(files)) entries[name] = [strToU8(content), { mtime: ALWAYS }];
  return zipSync(entries);
}

const container = `${XML}
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

function titlePage({ title, author }: SoundBook): Page {
  const by = author ? `\n<p class="author">${escapeXml(author)}</p>` : "";
  return { name: "title", title, body: `<h1>${escapeXml(title)}</h1>${by}` };
}

function chapterPages({ title, chapters }: SoundBook): Page[] {
  return chapters.map((chapter, index) => {
    const text = writer().parser(chapterBlocks(chapter)).trim();
    return {
      name: `chapter-${String(index + 1).padStart(3, "0")}`,
      title: chapter.title || title,
      isListed: chapter.title !== "",
      body: chapter.title === "" ? text : `<h1>${escapeXml(chapter.title)}</h1>\n${text}`,
    };
  });
}

function page({ language, isRightToLeft }: SoundBook, { title, body }: Page): string {
  const lang = language ? ` lang="${language}" xml:lang="${language}"` : "";
  return `${XML}
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"${lang}${isRightToLeft ? ' dir="rtl"' : ""}>
<head>
<title>${escapeXml(title)}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
${body}
</body>
</html>
`;
}

function packageFile(book: SoundBook, pages: readonly Page[]): string {
  const author = book.author ? `\n<dc:creator>${escapeXml(book.author)}</dc:creator>` : "";
  const items = pages.map(({ name }) => `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>`);
  const progression = book.isRightToLeft ? ' page-progression-direction="rtl"' : "";
  return `${XML}
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${identifier(book)}</dc:identifier>
<dc:title>${escapeXml(book.title)}</dc:title>
<dc:language>${book.language ?? "und"}</dc:language>${author}
<meta property="dcterms:modified">${book.date.toISOString().replace(/\.\d+/, "")}</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="style" href="style.css" media-type="text/css"/>
${items.join("\n")}
</manifest>
<spine${progression}>
${pages.map(({ name }) => `<itemref idref="${name}"/>`).join("\n")}
</spine>
</package>
`;
}

function navigation({ title }: SoundBook, pages: readonly Page[]): string {
  const items = pages.map((each) => `<li><a href="${each.name}.xhtml">${escapeXml(each.title)}</a></li>`);
  return `<nav epub:type="toc" id="toc">\n<h1>${escapeXml(title)}</h1>\n<ol>\n${items.join("\n")}\n</ol>\n</nav>`;
}

/** A book keeps its identifier through its revisions: it comes from title and author alone. */
function identifier({ title, author }: SoundBook): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([title, author]))
    .digest("hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Text as XML holds it, in content and in attributes. */
function escapeXml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** Markdown as XHTML. */
function writer() {
  const marked = markdownReader();
  marked.use({
    renderer: {
      table({ header, rows }) {
        const lines = [header, ...rows].map((cells) =>
          cells.map(({ tokens }) => this.parser.parseInline(tokens)).join(" | "),
        );
        return `<p>${lines.join("<br/>\n")}</p>\n`;
      },
      code: ({ text }) => `<pre><code>${escapeXml(text)}</code></pre>\n`,
      hr: () => "<hr/>\n",
      br: () => "<br/>\n",
      checkbox: ({ checked }) => (checked ? "[x] " : "[ ] "),
      codespan: ({ text }) => `<code>${escapeXml(text)}</code>`,
      image: ({ text }) => escapeXml(text),
      html: ({ text }) => escapeXml(text),
      link({ href, tokens }) {
        const [address, text] = [safeHref(href), this.parser.parseInline(tokens)];
        return address === undefined ? text : `<a href="${escapeXml(address)}">${text}</a>`;
      },
      text(token: Tokens.Text | Tokens.Escape) {
        return "tokens" in token && token.tokens ? this.parser.parseInline(token.tokens) : escapeXml(token.text);
      },
    },
  });
  return marked;
}
