export interface CodeBlockOptions {
    /** The names that the fence may give; a block without a name counts where none has one of these. Any where left out. */
    languages?: readonly string[];
}
/** The one fenced code block of an answer, or several that are the same; throws FormatError for anything else. */
export declare function codeBlock(text: string, { languages }?: CodeBlockOptions): string;
