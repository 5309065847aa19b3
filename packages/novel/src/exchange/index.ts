// Import and export of a book.

export { type Book, type BookChapter, bookFileName } from "./book.ts";
export { exportDocx } from "./docx.ts";
export { exportEpub } from "./epub.ts";
export { type CandidateLine, candidateLines, type Imported, importManuscript, splitAt } from "./import.ts";
export { exportMarkdown } from "./markdown.ts";
