// /template: feedback that is kept under a name: some that come along, and the author's own in a file of the project.

import { join } from "node:path";
import { LoopwrightError, suggestOrList, UsageError } from "@loopwright/core";
import { type Document, parseDocument } from "yaml";
import { readText } from "../../manuscript/files/files.ts";
import { TEMPLATES_FILE } from "../../manuscript/files/layout.ts";
import type { Commands } from "../command-table.ts";
import { commitChange } from "../iterations.ts";
import type { Session } from "../session.ts";
import { textWidth, wrap } from "../words/output.ts";
import { firstWord, splitWords } from "../words/words.ts";

export const commands: Commands = { template };

type Templates = Readonly<Record<string, string>>;

/** What comes along; a saved one of the same name is taken in its place. */
const shipped: Templates = {
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
async function template(session: Session, rest: string): Promise<void> {
  const [word, more] = firstWord(rest);
  const [name, text] = firstWord(more);
  const action = word === "" ? "list" : actions.find((known) => known.startsWith(word.toLowerCase()));
  const { document, own } = await readTemplates(session);
  const all = new Map(Object.entries({ ...shipped, ...own }));
  if (action === "list") return list(session, all, own);
  if (action === undefined || !/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(name)) throw new LoopwrightError("USAGE", USAGE);
  if (action === "save" && text.trim() === "") throw new LoopwrightError("USAGE", USAGE);
  if (action === "save") {
    document.set(name, text.trim());
    return keep(session, `template ${name}`, document);
  }
  const found = all.get(name);
  const what =
    action === "drop" && found !== undefined ? `'${name}' comes along and stays` : `There is no template '${name}'`;
  if (found === undefined || (action === "drop" && !Object.hasOwn(own, name)))
    throw new LoopwrightError(
      "TEMPLATE_UNKNOWN",
      `${what}${found === undefined ? suggestOrList(name, [...all.keys()]) : ""}`,
    );
  if (action === "drop") {
    document.delete(name);
    return keep(session, `template ${name} dropped`, document);
  }
  const feedback = fill(found, splitWords(text));
  session.output.say(`> ${feedback}`);
  await (await import("./generate.ts")).giveFeedback(session, feedback);
}

function list({ output }: Session, all: ReadonlyMap<string, string>, own: Templates): void {
  const width = textWidth(output.terminal.columns) - 4;
  for (const [name, text] of all)
    output.say(`  ${name}${Object.hasOwn(own, name) ? " (yours)" : ""}:\n    ${wrap(text, width).join("\n    ")}`);
  output.note(
    "/template use NAME PLACE=WORDS gives it as feedback; /template save NAME FEEDBACK keeps one, or changes one",
  );
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
  const missing = [...new Set(Array.from(filled.matchAll(/\{([\p{L}\p{N}_-]+)\}/gu), ([, place]) => place))];
  // One place, and words without a name: they are meant for it.
  if (missing.length === 1 && others.length > 0) return filled.replaceAll(`{${missing[0]}}`, others.join(" "));
  if (missing.length === 0) return [filled, ...others].join(" ");
  const places = missing.map((place) => `${place}=…`).join(" ");
  throw new LoopwrightError("USAGE", `The template has places to fill in: ${places}`);
}

async function readTemplates({ novel: { folder } }: Session) {
  const document = parseDocument((await readText(folder, TEMPLATES_FILE)) ?? "{}\n");
  const value: unknown = document.errors.length > 0 ? undefined : (document.toJS() ?? {});
  if (typeof value === "object" && Object.values(value as object).every((each) => typeof each === "string"))
    return { document, own: value as Templates };
  const why = document.errors[0]?.message ?? "it must be names, each with a text";
  throw new UsageError("NOVEL_FILE_INVALID", `${join(folder, TEMPLATES_FILE)}: ${why}`);
}

/** Saves the templates; comments and order stay. */
async function keep(session: Session, words: string, document: Document): Promise<void> {
  const content = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  const change = { write: [{ path: TEMPLATES_FILE, content }], remove: [] };
  const { subject } = await commitChange(session, "project", words, change);
  session.output.say(`  ✓ Git commit: "${subject}"`);
}
