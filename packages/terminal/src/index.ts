// Text for terminals: made safe, measured, cut, colored and redrawn in place; figures in words.

// A Node that is too old is told so.
import "@loopwright/core";

export * from "./figures.ts";
export * from "./first-prompt.ts";
export * from "./json.ts";
export * from "./live-region.ts";
export * from "./questions.ts";
export * from "./terminal.ts";
export * from "./text.ts";
export { widthOf } from "./width.ts";
