// A treatment: a title, and a heading for each act with text under it.

import { TREATMENT_PATH } from "../files/layout.ts";
import { saysSomething, sectionsOf } from "../headings.ts";
import { numberedTitle } from "../numbers.ts";
import { type FormatOptions, isOwnWork } from "./options.ts";
import { checkWhole } from "./text.ts";

/** What is wrong with a treatment. */
export function checkTreatment(text: string, options: FormatOptions): string[] {
  const problems = checkWhole(TREATMENT_PATH, text, true, isOwnWork(options));
  if (problems.length > 0) return problems;
  const sections = sectionsOf(text);
  if (sections[0]?.depth !== 1) {
    problems.push(`${TREATMENT_PATH} does not begin with a title: its first line must be '# ' and the title.`);
  }
  // Other languages have other words for an act, so there any two headings will do.
  const isEnglish = /^en\b/i.test(options.project.language ?? "en");
  const acts = sections.flatMap((section, index) =>
    isAct(section.title, isEnglish) && index > 0 && (isEnglish || section.depth === 2) ? [index] : [],
  );
  if (acts.length < (isEnglish ? 1 : 2)) {
    const form = isEnglish ? "such as '## Act I'" : "such as '## ' and its name";
    return [...problems, `${TREATMENT_PATH} has no heading for each act: give every act one, ${form}.`];
  }
  for (const at of acts) {
    if (!saysSomething(sections, at))
      problems.push(`${TREATMENT_PATH}: '${sections[at]!.title}' has nothing under it.`);
  }
  const numbers = acts.map((at) => numberedTitle(sections[at]!.title, "act")).filter((number) => number !== undefined);
  const isInOrder = numbers.every((number, index) => index === 0 || number >= numbers[index - 1]!);
  if (!isInOrder || (numbers.length > 0 && numbers[0] !== 1)) {
    problems.push(`${TREATMENT_PATH}: the acts are not in order: ${numbers.join(", ")}.`);
  }
  return problems;
}

function isAct(title: string, isEnglish: boolean): boolean {
  return title !== "" && (!isEnglish || /\bact\b/i.test(title));
}
