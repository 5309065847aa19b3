// Text for terminals: made safe, measured, cut, colored and redrawn in place; figures in words.

// A Node that is too old is told so.
import "@loopwright/core/look";

export * from "./figures.ts";
export * from "./terminal.ts";
