import type { Json } from "../core/json.ts";
/** A value that was read, and where it ends. */
export interface Reading {
    value: Json;
    end: number;
    /** Whether it is JSON as it stands, with nothing to mend. */
    isStrict: boolean;
}
/** Why no value could be read, and where. */
export declare class JsonFault {
    readonly message: string;
    readonly at: number;
    /** Whether the text ended before the value did. */
    readonly isCut: boolean;
    /** Whether it was meant as JSON: a key in quotes and its colon had been read. Braces in prose have none. */
    readonly isMeant: boolean;
    constructor(message: string, at: number, { isCut, isMeant }?: {
        isCut?: boolean | undefined;
        isMeant?: boolean | undefined;
    });
}
/** Reads the value that begins at a place of a text. */
export declare function readJson(text: string, from?: number): Reading | JsonFault;
/** Reads a text that is one value and nothing else. */
export declare function readWholeJson(text: string): Reading | JsonFault;
