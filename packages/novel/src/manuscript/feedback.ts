// Feedback in plain words, and its items.

const ITEM = /^[ \t]*(?:[-*+•][ \t]+|\(?(?:\d{1,2}|[a-z])[.)][ \t]+)(.*)$/i;
const MOST_ITEMS = 50;

/** The items of feedback: those of a list, where it is one and nothing else; a first line with a colon goes with each. */
export function parseFeedback(text: string): string[] {
  const whole = text.replace(/\r\n?/g, "\n").trim();
  if (whole === "") return [];
  const lines = whole.split("\n");
  const intro = /:\s*$/.test(lines[0]!) && !ITEM.test(lines[0]!) ? lines.shift()!.trim() : undefined;
  const items: string[] = [];
  let isAfterBlank = false;
  for (const line of lines) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) items.push(item.trim());
    else if (line.trim() === "") {
      isAfterBlank = true;
      continue;
    } else {
      // A paragraph of its own beside the list: the list is a part of what is said, and not all of it.
      const continues = items.length > 0 && (/^\s/.test(line) || !isAfterBlank);
      if (!continues) return [whole];
      items[items.length - 1] += `\n${line.trim()}`;
    }
    isAfterBlank = false;
  }
  const kept = items.map((item) => item.trim()).filter((item) => item !== "");
  if (kept.length < 2 || kept.length > MOST_ITEMS) return [whole];
  return intro === undefined ? kept : kept.map((item) => `${intro} ${item}`);
}
