// Feedback that says that something shall be better, and not what. Only the plainest cases: a writer who is asked back
// although they were clear is asked once too often.

const vagueWords = new Set(
  (
    "make makes making it this that the a an them all everything whole book novel story text chapter chapters prose treatment premise scene " +
    "draft better best good great nice nicer improve improved improvement improvements fix polish rework rewrite redo revise again please just " +
    "really much very bit a-bit little lot more most some somehow something interesting exciting engaging compelling different differently " +
    "change try work on can could you we should be is of in and do i want feel feels like " +
    "mach mache es das den die der besser schöner verbessern verbessere alles ganze buch kapitel bitte spannender interessanter " +
    "irgendwie irgendwas fehlt fehlen mir da noch was etwas nicht gefällt stimmt passt finde so gut ist kann"
  ).split(" "),
);
const MOST_WORDS = 10;

/** Whether an item of feedback names nothing that could be done. */
export function isVague(item: string): boolean {
  const words = item.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  if (words.length === 0 || words.length > MOST_WORDS) return false;
  return words.every((word) => /^\d+$/.test(word) || vagueWords.has(word));
}
