// Fenced blocks: what an answer or a document sets apart between lines of backticks or tildes.
//
// A fence that opens with a language while another one of no greater length is open means that the first was never
// closed: what it holds is torn, and is never taken for whole.
const FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\s`]*)[^`\n]*$/;
/** The fenced blocks of a text, in order. */
export function fencedBlocks(text) {
    const blocks = [];
    let open;
    for (let start = 0; start <= text.length;) {
        const end = endOfLine(text, start);
        const fence = readFence(text, start, end);
        if (fence && (!open || covers(fence.mark, open.mark))) {
            const closes = open !== undefined && fence.language === "";
            if (open)
                blocks.push(blockOf(text, open, start, closes ? end : start, closes));
            open = closes ? undefined : { ...fence, start, body: Math.min(end + 1, text.length) };
        }
        start = end + 1;
    }
    if (open)
        blocks.push(blockOf(text, open, text.length, text.length, false));
    return blocks;
}
/** Reads a line as a fence; most lines are none, and are not cut out of the text to find that out. */
function readFence(text, start, end) {
    let at = start;
    while (text[at] === " " || text[at] === "\t")
        at++;
    if (text[at] !== "`" && text[at] !== "~")
        return undefined;
    const found = FENCE.exec(text.slice(start, end).replace(/\r$/, ""));
    return found ? { indent: found[1], mark: found[2], language: found[3].toLowerCase() } : undefined;
}
function covers(mark, open) {
    return mark[0] === open[0] && mark.length >= open.length;
}
function blockOf(text, open, bodyEnd, end, isClosed) {
    const body = text.slice(open.body, Math.max(open.body, bodyEnd)).replace(/\r?\n$/, "");
    return { language: open.language, text: outdent(body, open.indent), isClosed, start: open.start, end };
}
/** A block inside a list is indented as a whole. */
function outdent(body, indent) {
    if (indent === "")
        return body;
    return body
        .split("\n")
        .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
        .join("\n");
}
function endOfLine(text, start) {
    const at = text.indexOf("\n", start);
    return at < 0 ? text.length : at;
}
//# sourceMappingURL=fence-blocks.js.map