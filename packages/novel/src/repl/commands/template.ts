// /template: feedback that is kept under a name: some that come along, and the author's own in a file of the project.

import { join } from "node:path";
import { LoopwrightError, suggestOrList, UsageError } from "@loopwright/core";
import { parseDocument } from "yaml";
import { readText } from "../../manuscript/files/files.ts";
import { TEMPLATES_FILE } from "../../manuscript/files/layout.ts";
import { commitChange } from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord, splitWords } from "../words/command-words.ts";
import { textWidth, wrap } from "../words/wrapping.ts";

/** What comes along; a saved one of the same name is taken in its place. */
const shipped: Readonly<Record<string, string>> = {
  darker:
    "Make {where} darker: let something be lost there that cannot be put right, show it in what people see and do, and let the chapters before and after it feel it coming and carry it on.",
  subplot:
    "Add a subplot about {about}: it begins early, crosses the main plot at least twice, changes a decision there, and is resolved before the end.",
  pace: "Quicken the pace of {where}: enter scenes later and leave them earlier, cut what the reader knows already, and keep every fact that is needed afterwards.",
  character:
    "Deepen {who}: give them a want and a fear that pull against each other, let it show in what they do rather than in what is said of them, and let it cost them something.",
  "plant-and-payoff":
    "Plant {what} early, in passing and more than once, so that its payoff in {where} surprises and yet was there to be seen.",
  "ambiguous-ending":
    "Make the ending more ambiguous: two readings of what happened stay possible to the last line, each with evidence in the chapters before it, and nobody explains.",
  dialogue:
    "Sharpen the dialogue in {where}: everyone wants something from the other, nobody says it outright, and each can be told by their way of speaking.",
  shorten:
    "Shorten {where} by about a third: cut repetition, explanation and weak scenes, and lose no fact that is needed later.",
};

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
  const all = { ...shipped, ...templates };
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found === undefined)
    throw new LoopwrightError(
      "TEMPLATE_UNKNOWN",
      `There is no template '${name}'${suggestOrList(name, Object.keys(all))}`,
    );
  if (action === "drop" && !Object.hasOwn(templates, name))
    throw new LoopwrightError(
      "TEMPLATE_SHIPPED",
      `'${name}' comes along: /template save ${name} FEEDBACK takes its place`,
    );
  if (action === "drop") return change(session, `template ${name} dropped`, (document) => document.delete(name));
  const feedback = fill(found, splitWords(text));
  session.output.say(`> ${feedback}`);
  await (await import("./generate.ts")).giveFeedback(session, feedback);
}

function list({ output }: Session, templates: Readonly<Record<string, string>>): void {
  const columns = textWidth(output.terminal.columns);
  for (const [name, text] of Object.entries({ ...shipped, ...templates }))
    output.say(
      `  ${name}${Object.hasOwn(templates, name) ? " (yours)" : ""}:\n    ${wrap(text, columns - 4).join("\n    ")}`,
    );
  output.note(
    "/template use NAME PLACE=WORDS gives it as feedback; /template save NAME FEEDBACK keeps one, or changes one",
  );
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
