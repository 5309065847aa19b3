// Code in an answer stands in a fenced block. Prose is never code.

import { FormatError } from "@loopwright/core";
import { type Block, fencedBlocks } from "./fence-blocks.ts";
import { answerOf } from "./think.ts";

export interface CodeBlockOptions {
  /** The names that the fence may give; a block without a name counts where none has one of these. Any where left out. */
  languages?: readonly string[];
}

/** The one fenced code block of an answer, or several that are the same; throws FormatError for anything else. */
export function codeBlock(text: string, { languages = [] }: CodeBlockOptions = {}): string {
  const blocks = fencedBlocks(answerOf(text));
  const usable = blocksIn(blocks, languages).filter((block) => !block.isClosed || block.text.trim() !== "");
  const form = `Answer with exactly one fenced block${languages[0] ? ` that begins with \`\`\`${languages[0]}` : ""}.`;
  if (usable.length === 0) throw new FormatError("NO_CODE", `${whatWasFound(blocks)} ${form}`);
  if (usable.some(({ isClosed }) => !isClosed)) {
    const message = `A fenced code block of the answer is never closed, or another fence opens inside it. ${form}`;
    throw new FormatError("ANSWER_CUT", message);
  }
  const distinct = new Set(usable.map((block) => block.text.trimEnd()));
  if (distinct.size > 1) {
    const message = `The answer holds ${distinct.size} different fenced code blocks, and it is unclear which is meant. ${form}`;
    throw new FormatError("CODE_CONFLICTING", message);
  }
  return usable[0]!.text;
}

/** The blocks in one of the languages, else those that name none. */
function blocksIn(blocks: readonly Block[], languages: readonly string[]): Block[] {
  if (languages.length === 0) return [...blocks];
  const names = languages.map((name) => name.toLowerCase());
  const named = blocks.filter(({ language }) => names.includes(language));
  return named.length > 0 ? named : blocks.filter(({ language }) => language === "");
}

function whatWasFound(blocks: readonly Block[]): string {
  if (blocks.length === 0) return "The answer holds no fenced code block, and prose is never run as code.";
  const names = [...new Set(blocks.map(({ language }) => language || "no language"))].slice(0, 5);
  return `The answer holds no usable code: its fenced blocks are empty or of another kind (${names.join(", ").slice(0, 100)}).`;
}

/** A plan in words and the one block of code behind it. Prose is never code. */
export function planAndCode(text: string, options: CodeBlockOptions = {}): { plan: string; code: string } {
  const code = codeBlock(text, options);
  const answer = answerOf(text);
  const plan = answer
    .slice(0, answer.indexOf("```"))
    .replace(/^[#*\s\d.]*PLAN[*:\s]*/i, "")
    .replace(/\n[#*\s\d.]*CODE[*:\s]*$/i, "")
    .trim();
  return { plan: plan || "(no plan was given)", code };
}
