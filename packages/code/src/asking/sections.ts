// task.md: a Markdown file with the sections Task, Scope, Domain Knowledge and Constraints. Pure.
//
// A heading inside a fenced block is none. What stands before the first known heading, and every section of another name,
// belongs to the task: nothing that a person wrote is lost.

export interface TaskSections {
  task: string;
  scope: string;
  knowledge: string;
  constraints: string;
}

interface Heading {
  title: string;
  level: number;
  /** Where its line begins, and where the line after it begins. */
  start: number;
  end: number;
}

export const KNOWLEDGE = "Domain Knowledge";
const names: Readonly<Record<string, keyof TaskSections>> = {
  task: "task",
  scope: "scope",
  "domain knowledge": "knowledge",
  constraints: "constraints",
};

/** The sections of a task file. */
export function parseSections(text: string): TaskSections {
  const sections: TaskSections = { task: "", scope: "", knowledge: "", constraints: "" };
  const known = headingsOf(text).filter(({ level, title }) => level <= 2 && sectionName(title) !== undefined);
  const others = headingsOf(text).filter(({ level, title }) => level === 2 && sectionName(title) === undefined);
  const add = (key: keyof TaskSections, more: string) => {
    sections[key] = [sections[key], more.trim()].filter((part) => part !== "").join("\n\n");
  };
  const bounds = [...known, ...others].sort((a, b) => a.start - b.start);
  add("task", text.slice(0, bounds[0]?.start ?? text.length));
  for (const [index, { title, start, end }] of bounds.entries()) {
    const until = bounds[index + 1]?.start ?? text.length;
    const key = sectionName(title);
    if (key) add(key, text.slice(end, until));
    else add("task", text.slice(start, until));
  }
  return sections;
}

/** Where the section Domain Knowledge ends: after its last line that is not blank; undefined where there is none. */
export function endOfKnowledge(text: string): number | undefined {
  const headings = headingsOf(text);
  const at = headings.findIndex(({ level, title }) => level <= 2 && sectionName(title) === "knowledge");
  if (at < 0) return undefined;
  const { level, end } = headings[at]!;
  const next = headings.slice(at + 1).find((heading) => heading.level <= level);
  const body = text.slice(end, next?.start ?? text.length);
  return end + body.trimEnd().length;
}

function sectionName(title: string): keyof TaskSections | undefined {
  const plain = title.toLowerCase().replace(/\s+/g, " ").trim();
  return Object.hasOwn(names, plain) ? names[plain] : undefined;
}

function headingsOf(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || (mark[0] === fence[0] && mark.length >= fence.length)))
      fence = fence === undefined ? mark : undefined;
    const found =
      fence === undefined && mark === undefined ? /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#:]*\r?\n?$/.exec(line) : null;
    if (found) headings.push({ title: found[2]!, level: found[1]!.length, start: at, end: at + line.length });
    at += line.length;
  }
  return headings;
}
