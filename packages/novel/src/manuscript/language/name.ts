// A language as people call it, for prompts: nobody writes in "de".

const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** The English name of a language tag, such as German; "" for none, and what is no tag as it is. */
export function languageName(tag: string): string {
  if (tag === "") return "";
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
