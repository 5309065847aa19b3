/** An answer without its thought. */
export declare function withoutThought(text: string): string;
