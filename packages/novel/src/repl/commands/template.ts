// /template: feedback that is kept under a name, in a file of the project.

import { join } from "node:path";
import { LoopwrightError, suggestOrList, UsageError } from "@loopwright/core";
import { parseDocument } from "yaml";
import { readText } from "../../manuscript/files/files.ts";
import { TEMPLATES_FILE } from "../../manuscript/files/layout.ts";
import { commitChange } from "../changes.ts";
import type { Session } from "../session.ts";
import { firstWord, splitWords } from "../words/command-words.ts";
import { firstLine } from "../words/wrapping.ts";

const USAGE =
  "Say it as /template save NAME FEEDBACK, /template use NAME [PLACE=WORDS …], /template list or /template drop NAME";
const actions = ["save", "list", "use", "drop"] as const;

/** /template [save|list|use|drop] … */
export async function template(session: Session, rest: string): Promise<void> {
  const [word, more] = firstWord(rest);
  const [name, text] = firstWord(more);
  const action = word === "" ? "list" : actions.find((known) => known.startsWith(word.toLowerCase()));
  if (action === undefined) throw new LoopwrightError("USAGE", USAGE);
  const templates = await readTemplates(session.novel.folder);
  if (action === "list") return list(session, templates);
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(name)) throw new LoopwrightError("USAGE", USAGE);
  if (action === "save") return save(session, name, text.trim());
  const found = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (found === undefined)
    throw new LoopwrightError(
      "TEMPLATE_UNKNOWN",
      `There is no template '${name}'${suggestOrList(name, Object.keys(templates))}`,
    );
  if (action === "drop") return change(session, `template ${name} dropped`, (document) => document.delete(name));
  const feedback = fill(found, splitWords(text));
  session.output.say(`> ${feedback}`);
  await (await import("./generate.ts")).giveFeedback(session, feedback);
}

function list({ output }: Session, templates: Readonly<Record<string, string>>): void {
  const entries = Object.entries(templates);
  if (entries.length === 0) output.note("There are no templates yet: /template save NAME FEEDBACK");
  for (const [name, text] of entries) output.say(`  ${name}: ${firstLine(text, 200)}`);
}

async function save(session: Session, name: string, text: string): Promise<void> {
  if (text === "") throw new LoopwrightError("USAGE", USAGE);
  await change(session, `template ${name}`, (document) => document.set(name, text));
}

/** The places of a template, such as {chapter}, filled in; what is left over goes to its end. */
export function fill(text: string, words: readonly string[]): string {
  const given = new Map<string, string>();
  const others: string[] = [];
  for (const word of words) {
    const [, place, value] = /^([\p{L}\p{N}_-]+)=([\s\S]+)$/u.exec(word) ?? [];
    if (place === undefined || !text.includes(`{${place}}`)) others.push(word);
    else given.set(place, value!.trim());
  }
  const filled = text.replace(/\{([\p{L}\p{N}_-]+)\}/gu, (all, place: string) => given.get(place) ?? all);
  const missing = [...filled.matchAll(/\{([\p{L}\p{N}_-]+)\}/gu)].map(([, place]) => place);
  // One place, and words without a name: they are meant for it.
  if (new Set(missing).size === 1 && others.length > 0) return filled.replaceAll(`{${missing[0]}}`, others.join(" "));
  if (missing.length > 0)
    throw new LoopwrightError(
      "USAGE",
      `The template has places to fill in: ${missing.map((place) => `${place}=…`).join(" ")}`,
    );
  return [filled, ...others].join(" ");
}

async function readTemplates(folder: string): Promise<Record<string, string>> {
  const text = (await readText(folder, TEMPLATES_FILE)) ?? "";
  const value: unknown = parse(text, folder).toJS() ?? {};
  const entries = Object.entries(value as object);
  if (typeof value === "object" && entries.every(([, each]) => typeof each === "string"))
    return Object.fromEntries(entries);
  throw new UsageError("NOVEL_FILE_INVALID", `${join(folder, TEMPLATES_FILE)}: it must be names, each with a text`);
}

function parse(text: string, folder: string) {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new UsageError("NOVEL_FILE_INVALID", `${join(folder, TEMPLATES_FILE)}: ${error.message}`);
  return document;
}

async function change(
  session: Session,
  words: string,
  act: (document: ReturnType<typeof parseDocument>) => void,
): Promise<void> {
  const { folder } = session.novel;
  const document = parse((await readText(folder, TEMPLATES_FILE)) ?? "{}\n", folder);
  act(document);
  const content = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  const { subject } = await commitChange(session, "project", words, {
    write: [{ path: TEMPLATES_FILE, content }],
    remove: [],
  });
  session.output.say(`  ✓ Git commit: "${subject}"`);
}
