import type { z } from "zod";
export { type CodeBlockOptions, codeBlock } from "./parse-code.ts";
/** The value that an answer holds; throws FormatError where it holds none that fits. */
export declare function parseObject<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema>;
/** An answer without its thought; throws FormatError where nothing is left. */
export declare function answerOf(text: string): string;
