// Thought: what a model says to itself between <think> and </think> (or thinking, reasoning) is not part of its answer.
//
//   T1  Blocks may be many, nested and in any case of letters.
//   T2  A closing tag that was never opened: everything before it is thought, since servers swallow the opening one.
//   T3  An opening tag that is never closed: everything after it is thought, and so the answer may be empty.
//   T4  Openings that outnumber their closings (thought that mentions the tag): thought lasts to the last closing tag.
//   T5  Inside a closed fenced block of the answer tags are text: code may speak of them. A torn fence protects nothing,
//       and neither does a fence inside a thought.
//
// Where it is unclear whether something is thought or answer, it is thought: a lost answer is asked for again, but
// a thought taken for an answer is believed.
import { fencedBlocks } from "./fence-blocks.js";
const TAG = /<(\/?)(?:think|thinking|reasoning)\s*>/gi;
/** An answer with more tags than this is no answer with thoughts in it; what follows its last tag is all that counts. */
const MAX_TAGS = 200;
/** An answer without its thought. */
export function withoutThought(text) {
    const tags = tagsOf(text);
    if (tags.length === 0)
        return text;
    if (tags.length > MAX_TAGS)
        return tags.at(-1).isClosing ? text.slice(tags.at(-1).end) : "";
    let kept = [];
    let from = 0;
    let shields = closedBlocks(text, 0);
    for (let next = 0; next < tags.length;) {
        const tag = tags[next];
        const shield = shields.find(({ start, end }) => start <= tag.start && tag.start < end);
        if (shield) {
            next = after(tags, next, shield.end);
            continue;
        }
        const last = tag.isClosing ? next : endOfThought(tags, next);
        kept = tag.isClosing ? [] : [...kept, text.slice(from, tag.start)];
        if (last === undefined)
            return kept.join("");
        from = tags[last].end;
        next = last + 1;
        // A fence that opened inside the thought may have been taken for the beginning of one in the answer.
        if (shields.some(({ start, end }) => start < from && end > tag.start))
            shields = closedBlocks(text, from);
    }
    return [...kept, text.slice(from)].join("");
}
function closedBlocks(text, from) {
    return fencedBlocks(text.slice(from))
        .filter(({ isClosed }) => isClosed)
        .map(({ start, end }) => ({ start: start + from, end: end + from }));
}
/** The first tag that stands behind a place. */
function after(tags, next, place) {
    const found = tags.findIndex(({ start }, index) => index > next && start >= place);
    return found < 0 ? tags.length : found;
}
/** The closing tag of a thought that opens at a tag: the one that balances it, else the last there is. */
function endOfThought(tags, opening) {
    let depth = 0;
    let last;
    for (let at = opening; at < tags.length; at++) {
        depth += tags[at].isClosing ? -1 : 1;
        if (tags[at].isClosing)
            last = at;
        if (depth === 0)
            return at;
    }
    return last;
}
function tagsOf(text) {
    return [...text.matchAll(TAG)].map((match) => ({
        isClosing: match[1] === "/",
        start: match.index,
        end: match.index + match[0].length,
    }));
}
//# sourceMappingURL=think.js.map