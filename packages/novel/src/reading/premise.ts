// The premise as a reader sees it: its title, and each key as a heading over its text.

/** The JSON of a premise as Markdown; a text that is none stays as it is. */
export function premiseToMarkdown(content: string): string {
  const value = parsed(content);
  if (value === undefined) return content;
  const { title, ...others } = value;
  const sections = Object.entries(others).map(([key, each]) => `## ${headingOf(key)}\n\n${textOf(each)}`);
  return [...(typeof title === "string" ? [`# ${title}`] : []), ...sections].join("\n\n");
}

function parsed(content: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** A list is a line for each of its items, and so is what has names of its own. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => `- ${textOf(each)}`).join("\n");
  if (value === null || typeof value !== "object") return String(value ?? "");
  return Object.entries(value)
    .map(([key, each]) => `${headingOf(key)}: ${textOf(each)}`)
    .join("\n");
}

function headingOf(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ");
}
