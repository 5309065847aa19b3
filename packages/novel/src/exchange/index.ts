// Import and export of a book.

export { type Book, type BookChapter, bookFileName } from "./book.ts";
export { exportDocx } from "./docx.ts";
export { exportEpub } from "./epub.ts";
export { type Imported, importManuscript } from "./import.ts";
export { exportMarkdown } from "./markdown/markdown.ts";
