// A language as people call it, for prompts: nobody writes in "de".

/** The name of a language tag, in English unless told: German; "" for none, and what is no tag as it is. */
export function languageName(tag: string, said = "en"): string {
  if (tag === "") return "";
  try {
    return new Intl.DisplayNames(said, { type: "language", fallback: "code" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
