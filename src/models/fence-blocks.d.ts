export interface Block {
    /** In small letters; empty where the fence names none. */
    language: string;
    text: string;
    /** Whether its closing fence is there. */
    isClosed: boolean;
    /** Where its opening line begins and its closing line ends. */
    start: number;
    end: number;
}
/** The fenced blocks of a text, in order. */
export declare function fencedBlocks(text: string): Block[];
