// The Markdown of this repository as tests read it: its pages, their code blocks, their headings and links.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

export interface Block {
  page: string;
  line: number;
  /** The language, and the words after it: a file's name, `run`. */
  language: string;
  words: string[];
  text: string;
  /** What an invisible comment right above gives it: `<!-- given: declare const x: number; -->`. */
  given: string;
}

/** Every page that is tracked, or would be; those of fixtures are recorded answers and no pages. */
export function pages(): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim().split("\n");
  return listed.filter((path) => !path.startsWith("test/fixtures/") && existsSync(join(root, path)));
}

export function readPage(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

/** The fenced blocks of a page. */
export function blocksOf(page: string): Block[] {
  const text = readPage(page);
  const fences = text.matchAll(/(?:<!-- given: ([\s\S]*?) -->\n)?^```([^\n`]*)\n([\s\S]*?)^```$/gm);
  return [...fences].map((match) => {
    const [whole, given = "", info = "", body = ""] = match;
    const [language = "", ...words] = info.trim().split(/\s+/);
    const line = text.slice(0, match.index + whole.indexOf("```")).split("\n").length;
    return { page, line, language, words, text: body, given };
  });
}

/** What the headings of a page are linked by, as GitHub makes it. */
export function anchorsOf(page: string): Set<string> {
  const counts = new Map<string, number>();
  const headings = withoutCode(readPage(page)).matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, heading]) => {
      const plain = heading!
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .trim()
        .toLowerCase();
      const slug = plain.replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", "-");
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

/** The places that a page links to, those of the web aside. */
export function linksOf(page: string): string[] {
  const plain = withoutCode(readPage(page)).replace(/`[^`\n]*`/g, "");
  const targets = [...plain.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, target]) => target!);
  return targets.filter((target) => !/^[a-z]+:/i.test(target));
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}
