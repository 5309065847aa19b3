// What a model is shown of what it asked to see.

/** An answer: what was asked, what is shown, and the same in a few words for a person. */
export interface Seen {
  title: string;
  text: string;
  words: string;
}

export type Answered = Omit<Seen, "title">;

/** The longest answer, in characters. */
export const LONGEST = 12_000;
