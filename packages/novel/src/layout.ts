// What a novel project is made of: its levels and where their files lie. Light: it loads nothing else.

export * from "./manuscript/files/layout.ts";
export * from "./types.ts";
