// Which fence of Markdown is open at the end of a text.

export interface OpenFence {
  /** The line that opened it. */
  line: string;
  /** The line that closes it. */
  close: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The fence that a text leaves open; undefined where it leaves none. */
export function openFence(text: string): OpenFence | undefined {
  let open: OpenFence | undefined;
  for (const line of text.split("\n")) {
    const [, mark = "", rest = ""] = FENCE.exec(line) ?? [];
    if (mark === "") continue;
    if (!open) open = mark[0] === "`" && rest.includes("`") ? undefined : { line, close: mark };
    else if (mark.startsWith(open.close) && rest.trim() === "") open = undefined;
  }
  return open;
}
