// A treatment: a title, and a heading for each act with text under it.

import { TREATMENT_PATH } from "../files/layout.ts";
import { saysSomething, sectionsOf } from "../headings.ts";
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
  const acts = sections.flatMap(({ title }, index) => (/\bact\b/i.test(title) && index > 0 ? [index] : []));
  if (acts.length === 0)
    return [...problems, `${TREATMENT_PATH} has no heading for each act: give every act one, such as '## Act 1'.`];
  for (const at of acts) {
    if (!saysSomething(sections, at))
      problems.push(`${TREATMENT_PATH}: '${sections[at]!.title}' has nothing under it.`);
  }
  return problems;
}
