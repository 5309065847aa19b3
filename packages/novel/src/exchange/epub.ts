// EPUB 3: a title page and a page for each chapter, with a table of contents for readers old and new.

import { createHash } from "node:crypto";
import { type ArchiveFile, packFiles } from "./archive.ts";
import { type Book, type SoundBook, soundBook } from "./book.ts";
import { chapterBlocks } from "./chapter-blocks.ts";
import { blocksToXhtml, escapeXml } from "./xhtml.ts";

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const CSS = `body { margin: 0 5%; }
h1, h2, h3, h4, h5, h6 { font-weight: normal; text-align: center; margin: 2em 0 1em; }
p { margin: 0; text-indent: 1.5em; }
h1 + p, h2 + p, h3 + p, hr + p, blockquote p, li p, .author, .note { text-indent: 0; }
hr { border: 0; border-top: 1px solid; margin: 1.5em auto; width: 20%; }
blockquote { margin: 1em 2em; }
pre { white-space: pre-wrap; }
.author { text-align: center; }
.note { font-size: smaller; margin: 1em 0; }
`;

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
  const files: ArchiveFile[] = [
    // The first file of every EPUB, and bare, so that its kind can be told from its first bytes.
    { name: "mimetype", content: "application/epub+zip", isStored: true },
    { name: "META-INF/container.xml", content: container },
    { name: "OEBPS/content.opf", content: packageFile(sound, pages) },
    {
      name: "OEBPS/nav.xhtml",
      content: page(sound, { name: "nav", title: sound.title, body: navigation(sound, listed) }),
    },
    { name: "OEBPS/toc.ncx", content: oldNavigation(sound, listed) },
    { name: "OEBPS/style.css", content: CSS },
    ...pages.map((each) => ({ name: `OEBPS/${each.name}.xhtml`, content: page(sound, each) })),
  ];
  return packFiles(files);
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

function chapterPages({ title, chapters, isRightToLeft }: SoundBook): Page[] {
  return chapters.map((chapter, index) => {
    const text = blocksToXhtml(chapterBlocks(chapter), isRightToLeft ? "rtl" : "ltr");
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
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
${items.join("\n")}
</manifest>
<spine toc="ncx"${progression}>
${pages.map(({ name }) => `<itemref idref="${name}"/>`).join("\n")}
</spine>
</package>
`;
}

/** What the table of contents is called, by language tag without a region. */
const contents: Readonly<Record<string, string>> = {
  ...{ en: "Contents", de: "Inhalt", fr: "Table des matières", es: "Índice", it: "Indice", pt: "Índice" },
  ...{ nl: "Inhoud", pl: "Spis treści", sv: "Innehåll", ru: "Содержание" },
};

function navigation({ title: book, language = "en" }: SoundBook, pages: readonly Page[]): string {
  const heading = contents[language.toLowerCase().split("-", 1)[0]!] ?? book;
  const items = pages.map(({ name, title }) => `<li><a href="${name}.xhtml">${escapeXml(title)}</a></li>`);
  return `<nav epub:type="toc" id="toc">\n<h1>${escapeXml(heading)}</h1>\n<ol>\n${items.join("\n")}\n</ol>\n</nav>`;
}

function oldNavigation(book: SoundBook, pages: readonly Page[]): string {
  const points = pages.map(
    ({ name, title }, index) =>
      `<navPoint id="${name}" playOrder="${index + 1}"><navLabel><text>${escapeXml(title)}</text></navLabel><content src="${name}.xhtml"/></navPoint>`,
  );
  return `${XML}
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
<head><meta name="dtb:uid" content="${identifier(book)}"/><meta name="dtb:depth" content="1"/></head>
<docTitle><text>${escapeXml(book.title)}</text></docTitle>
<navMap>
${points.join("\n")}
</navMap>
</ncx>
`;
}

/** A book keeps its identifier through its revisions: it comes from title and author alone. */
function identifier({ title, author }: SoundBook): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([title, author]))
    .digest("hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
