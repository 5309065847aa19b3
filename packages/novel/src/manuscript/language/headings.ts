// The headings of a book's levels, as prompts name them.

const headings = {
  ...{ chapter: "Chapter", act: "Act", foundation: "Foundation", act_of: "Act", pov: "POV", events: "Key Events" },
  ...{ development: "Character Development", beat: "Emotional Beat", information: "New Information", hook: "Hook" },
  ...{ metadata: "Metadata", characters: "Characters", world: "World", colon: ":" },
};

/** The headings, the same in every language. */
export function headingsOf(_language?: string): typeof headings {
  return headings;
}
