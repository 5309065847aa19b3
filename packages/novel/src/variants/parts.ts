// Parts of variants: paragraphs by number, put together to one text.

/** A variant's text in paragraphs; a title at its head is none. */
export interface Paragraphs {
  title: string;
  paragraphs: string[];
}

/** The paragraphs of a text. */
export function toParagraphs(text: string): Paragraphs {
  const all = text
    .split(/\n(?:[ \t]*\n)+/)
    // The indent of a verse is a part of it.
    .map((paragraph) => paragraph.replace(/^\n+/, "").trimEnd())
    .filter((paragraph) => paragraph !== "");
  const hasTitle = /^# /.test(all[0] ?? "");
  return { title: hasTitle ? all[0]! : "", paragraphs: hasTitle ? all.slice(1) : all };
}

interface Part {
  variant: number;
  /** Paragraphs, counted from 1; the end inclusive, absent for all that follow. */
  from: number;
  to?: number;
}

const USAGE = "Say which paragraphs of which variant, such as 1:1-4 2:5-7 1:8-";

/** The text that a choice such as `1:1-4 2:5-` comes to; or why it comes to none. */
export function composeParts(variants: readonly string[], spec: string): { text?: string; problem?: string } {
  const parts = readParts(spec);
  if (!parts) return { problem: USAGE };
  const read = variants.map(toParagraphs);
  const taken: string[] = [];
  for (const { variant, from, to } of parts) {
    const paragraphs = read[variant - 1]?.paragraphs;
    if (!paragraphs) return { problem: `There is no variant ${variant}. ${USAGE}` };
    const last = to ?? paragraphs.length;
    if (from > last || last > paragraphs.length)
      return { problem: `Variant ${variant} has paragraphs 1 to ${paragraphs.length}. ${USAGE}` };
    taken.push(...paragraphs.slice(from - 1, last));
  }
  const title = read[parts[0]!.variant - 1]!.title;
  return { text: `${[...(title === "" ? [] : [title]), ...taken].join("\n\n")}\n` };
}

function readParts(spec: string): Part[] | undefined {
  const words = spec.trim().split(/[\s;,]+/);
  const parts = words.map((word): Part | undefined => {
    const [, variant, from, dash, to] = /^([1-9]):(\d{1,4})(-)?(\d{1,4})?$/.exec(word) ?? [];
    if (variant === undefined || from === undefined || Number(from) < 1) return undefined;
    const end = dash === undefined ? Number(from) : to === undefined ? undefined : Number(to);
    return { variant: Number(variant), from: Number(from), ...(end !== undefined && { to: end }) };
  });
  return parts.every((part) => part !== undefined) ? (parts as Part[]) : undefined;
}
