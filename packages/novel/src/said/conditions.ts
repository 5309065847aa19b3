// Conditional feedback: "if the tone is still too light, let the storm come a day earlier". The condition is judged first.

import type { NovelTask } from "../task.ts";

/** Words that begin a condition, by language. In a book of another language, `own` would be taken for something else. */
const begins: Readonly<Record<string, { always: string; own?: string }>> = {
  en: { always: "if|only if|unless|in case" },
  de: { always: "wenn|nur wenn|falls|sofern|es sei denn" },
  fr: { always: "si|seulement si|sauf si|à moins que|au cas où" },
  es: { always: "si|solo si|sólo si|a menos que|en caso de que" },
  it: { always: "solo se|a meno che|nel caso in cui|qualora", own: "se" },
  pt: { always: "só se|a menos que|a não ser que", own: "se|caso" },
  nl: { always: "alleen als|indien|tenzij", own: "als" },
  pl: { always: "jeśli|jeżeli|tylko jeśli|o ile|chyba że" },
  sv: { always: "bara om|endast om|ifall|såvida", own: "om" },
  ru: { always: "если|только если" },
};
/** Conditions that come last: plain "if" in English alone, for elsewhere it may say "when". */
const ENDS =
  "if|only if|unless|nur wenn|falls|sofern|es sei denn|seulement si|sauf si|à moins que|solo si|sólo si|a menos que|solo se|" +
  "a meno che|só se|a não ser que|alleen als|tenzij|indien|tylko jeśli|chyba że|bara om|endast om|såvida|только если|если только";
const JOINTS = "but|and|then|also|und|aber|et|mais|y|pero|e|ma|mas|en|maar|i|ale|och|men|и|но|а";
const THEN = "then|dann|so|alors|entonces|allora|então|dan|wtedy|då|så|тогда|то";

const MIDDLE = new RegExp(`,\\s*(?:(?:${THEN})\\s+)?|\\s+then\\s+|:\\s+`, "iu");
/** `s'il dépasse cent mots` */
const S_IL = "(?:(?:seulement|sauf)\\s+)?s['’](?=ils?\\s)";
const LAST = new RegExp(`^([\\s\\S]+?),\\s+((?:(?:${JOINTS})\\s+)?(?:(?:${ENDS})\\s|${S_IL})[^,.;!?]+)[.!]?$`, "iu");

/** What feedback is about, before it says what is wanted. */
const ABOUT = /^[^.!?:"“”«»„]{1,80}:\s+/;

/** The condition of an item, as it was said; undefined where it has none. A condition that comes last ("…, if needed") is one too. */
export function readCondition(item: string, language?: string): string | undefined {
  const text = item.trim();
  const found = beginningIn(language).exec(text);
  if (found) {
    const middle = MIDDLE.exec(text.slice(found[0].length));
    if (!middle) return undefined;
    const at = found[0].length + middle.index;
    return checked(text.slice(0, at), text.slice(at + middle[0].length));
  }
  const last = LAST.exec(text);
  if (last) return checked(last[2]!, last[1]!);
  // "The ending: if it is too sad, …"
  const announced = ABOUT.exec(text)?.[0];
  return announced === undefined ? undefined : readCondition(text.slice(announced.length), language);
}

function beginningIn(language = "en"): RegExp {
  const own = begins[language.toLowerCase().split(/[-_]/, 1)[0]!]?.own;
  const words = [...Object.values(begins).map(({ always }) => always), ...(own === undefined ? [] : [own])].join("|");
  return new RegExp(`^(?:(?:${JOINTS})\\s+)?(?:(?:${words})\\s+|${S_IL})`, "iu");
}

/** A condition of one word, or nothing to do, is a turn of phrase. */
function checked(condition: string, wanted: string): string | undefined {
  const [isLong, isDone] = [condition.trim().split(/\s+/).length >= 3, wanted.trim().split(/[\s-]+/).length >= 2];
  return isLong && isDone ? condition.trim() : undefined;
}

/** Whether feedback has a condition in it. */
export function hasCondition({ feedback, language }: Pick<NovelTask, "feedback" | "language">): boolean {
  return feedback.some((item) => readCondition(item, language) !== undefined);
}

/** What was judged of the conditions, a sentence each, for whoever reads what was done later. */
export function conditionsToText({ conditions = [] }: Pick<NovelTask, "conditions">): string[] {
  return conditions.map(({ condition, holds, reasoning }) =>
    holds ? `Judged: "${condition}" holds. ${reasoning}` : `Left out: "${condition}" does not hold. ${reasoning}`,
  );
}

/** An item of feedback with what was judged of its condition under it. */
export function withJudgment(item: string, { conditions = [] }: Pick<NovelTask, "conditions">): string {
  const found = conditions.find(({ condition, holds }) => holds && item.includes(condition));
  return found
    ? `${item}\n\n(Not the author's words: that the condition holds was judged before. ${found.reasoning})`
    : item;
}
