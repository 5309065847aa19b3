// project.yaml: read with the place of every fault, and changed so that comments and order stay.

import { LineCounter, parseDocument } from "yaml";
import type { FileBlock } from "../../types.ts";
import { invalid, lineOfKey } from "./files.ts";
import { PROJECT_FILE } from "./layout.ts";
import { ProjectFile } from "./schemas.ts";

/** The values of project.yaml. `path` is what people are told. */
export function parseProjectFile(text: string, path: string): ProjectFile {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ""), { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken)
    throw invalid(`${path}:${lines.linePos(broken.pos[0]).line}: this is not YAML: ${broken.message}`, broken);
  const result = ProjectFile.safeParse(toPlain(document, path) ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === "unrecognized_keys") {
    const keys = [...issue.path, issue.keys[0]!];
    const known = issue.path.length === 0 ? `: it has ${Object.keys(ProjectFile.shape).join(", ")}` : "";
    throw invalid(`${path}:${lineOfKey(text, keys)}: '${keys.map(String).join(".")}' is no key of it${known}`);
  }
  const name = issue.path.map(String).join(".");
  const isMissing = issue.path.length > 0 && !document.hasIn(issue.path);
  const what = isMissing ? `'${name}' is missing` : `'${name || "the whole"}': ${issue.message}`;
  throw invalid(`${path}:${lineOfKey(text, issue.path)}: ${what}`);
}

/** The text of project.yaml with some values replaced; `undefined` takes one out. */
export function changeProjectText(text: string, path: string, values: Partial<ProjectFile>): FileBlock {
  parseProjectFile(text, path);
  const document = parseDocument(text);
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) document.delete(key);
    else document.set(key, value);
  }
  const content = document.toString({ lineWidth: 0 });
  parseProjectFile(content, path);
  return { path: PROJECT_FILE, content };
}

/** Aliases that multiply without end are a fault of the file, not of the program. */
function toPlain(document: ReturnType<typeof parseDocument>, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw invalid(`${path}:1: this cannot be read: ${(error as Error).message}`, error);
  }
}
