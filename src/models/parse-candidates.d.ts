import type { Json } from "../core/json.ts";
/** A value that stands in an answer, and how many characters it takes up there. */
export interface Candidate {
    value: Json;
    length: number;
}
/** What was found, and why the search ended early or found nothing. */
export interface Search {
    candidates: Candidate[];
    fault?: {
        message: string;
        isFinal: boolean;
        isCut: boolean;
    };
}
/** The objects and lists that fill a fenced block each. */
export declare function valuesInBlocks(answer: string): Search;
/** The objects and lists anywhere in an answer, outermost only, in order. */
export declare function valuesAnywhere(answer: string): Search;
