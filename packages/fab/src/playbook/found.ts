// Findings by their codes.

import type { Finding } from "@loopwright/core";
import type { Code } from "./codes.ts";
import { playbook } from "./playbook.ts";

/** A finding by its code: how grave and how urgent it is stands in the playbook. */
export function found(code: Code, message: string, { fix, kind }: { fix?: string; kind?: string } = {}): Finding {
  const { severity, priority } = playbook()[code];
  const name = code.replace("<KIND>", (kind ?? "").toUpperCase());
  return { code: name, severity, priority, message, ...(fix !== undefined && { fix }) };
}
