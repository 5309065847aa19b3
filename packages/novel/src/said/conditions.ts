// Conditional feedback: "if the tone is still too light, let the storm come a day earlier". The condition is judged first.

/** An item of feedback with its condition. */
export interface Conditional {
  /** As it was said: `if the tone is still too light`. */
  condition: string;
  /** What is to be done where it holds. */
  wanted: string;
}

const BEGINNING =
  /^(?:(?:but|and|then|also)\s+)?((?:only\s+)?(?:if|unless|where|in case|wenn|falls|sofern|si|sauf si)\b\s+)/i;
const MIDDLE = /,\s*(?:then\s+|dann\s+|so\s+|alors\s+|entonces\s+)?|\s+then\s+|:\s+/i;

/** The condition of an item; undefined where it has none. A condition that comes last ("…, if needed") is one too. */
export function readCondition(item: string): Conditional | undefined {
  const text = item.trim();
  const begins = BEGINNING.exec(text);
  if (begins) {
    const middle = MIDDLE.exec(text.slice(begins[0].length));
    if (!middle) return undefined;
    const at = begins[0].length + middle.index;
    return checked(text.slice(0, at), text.slice(at + middle[0].length));
  }
  const last = /^([\s\S]+?),\s+((?:but\s+)?(?:only\s+)?(?:if|unless)\s[^,.;!?]+)[.!]?$/i.exec(text);
  return last ? checked(last[2]!, last[1]!) : undefined;
}

/** A condition of one word, or nothing to do, is a turn of phrase. */
function checked(condition: string, then: string): Conditional | undefined {
  const [plain, wanted] = [condition.trim(), then.trim()];
  if (plain.split(/\s+/).length < 3 || wanted.split(/\s+/).length < 2) return undefined;
  return { condition: plain, wanted: wanted[0]!.toUpperCase() + wanted.slice(1) };
}

/** Whether feedback has a condition in it. */
export function hasCondition(feedback: readonly string[]): boolean {
  return feedback.some((item) => readCondition(item) !== undefined);
}
