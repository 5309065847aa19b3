// The words that a book's headings are made of, by language. A language that is not here has the English headings of a plan,
// and any title at all for its chapters.

/** What the plan of a chapter says, and what a foundation says; the keys are the English headings. */
export type PartName =
  | "Act"
  | "POV"
  | "Key Events"
  | "Character Development"
  | "Emotional Beat"
  | "New Information"
  | "Hook"
  | "Metadata"
  | "Characters"
  | "World";

export interface BookWords {
  /** What the language is called, in English and by those who speak it. */
  name: string;
  own: string;
  chapter: string;
  act: string;
  prologue: string;
  epilogue: string;
  foundation: string;
  parts: readonly [PartName, string][];
}

const order: readonly PartName[] = [
  ...(["Act", "POV", "Key Events", "Character Development", "Emotional Beat", "New Information", "Hook"] as const),
  ...(["Metadata", "Characters", "World"] as const),
];

function words(line: string, parts: string): BookWords {
  const [name, own, chapter, act, prologue, epilogue, foundation] = line.split("|") as [
    ...[string, string, string, string, string, string, string],
  ];
  const translated = parts.split("|");
  return {
    ...{ name, own, chapter, act, prologue, epilogue, foundation },
    parts: order.map((part, at) => [part, translated[at]!]),
  };
}

/** By language tag, without a region. */
export const bookWords: Readonly<Record<string, BookWords>> = {
  en: words(
    "English|English|Chapter|Act|Prologue|Epilogue|Foundation",
    "Act|POV|Key Events|Character Development|Emotional Beat|New Information|Hook|Metadata|Characters|World",
  ),
  de: words(
    "German|Deutsch|Kapitel|Akt|Prolog|Epilog|Grundlagen",
    "Akt|Perspektive|Wichtige Ereignisse|Figurenentwicklung|Gefühlslage|Neue Informationen|Aufhänger|Angaben|Figuren|Welt",
  ),
  fr: words(
    "French|français|Chapitre|Acte|Prologue|Épilogue|Fondations",
    "Acte|Point de vue|Événements clés|Évolution des personnages|Temps émotionnel|Informations nouvelles|Accroche|Métadonnées|Personnages|Monde",
  ),
  es: words(
    "Spanish|español|Capítulo|Acto|Prólogo|Epílogo|Fundamentos",
    "Acto|Punto de vista|Hechos clave|Desarrollo de personajes|Momento emocional|Información nueva|Gancho|Metadatos|Personajes|Mundo",
  ),
  it: words(
    "Italian|italiano|Capitolo|Atto|Prologo|Epilogo|Fondamenta",
    "Atto|Punto di vista|Eventi chiave|Sviluppo dei personaggi|Momento emotivo|Nuove informazioni|Gancio|Metadati|Personaggi|Mondo",
  ),
  pt: words(
    "Portuguese|português|Capítulo|Ato|Prólogo|Epílogo|Fundamentos",
    "Ato|Ponto de vista|Acontecimentos principais|Desenvolvimento das personagens|Momento emocional|Informação nova|Gancho|Metadados|Personagens|Mundo",
  ),
  nl: words(
    "Dutch|Nederlands|Hoofdstuk|Akte|Proloog|Epiloog|Grondslag",
    "Akte|Perspectief|Belangrijke gebeurtenissen|Ontwikkeling van de personages|Emotioneel moment|Nieuwe informatie|Haak|Metadata|Personages|Wereld",
  ),
  pl: words(
    "Polish|polski|Rozdział|Akt|Prolog|Epilog|Podstawy",
    "Akt|Perspektywa|Kluczowe wydarzenia|Rozwój postaci|Moment emocjonalny|Nowe informacje|Haczyk|Metadane|Postacie|Świat",
  ),
  sv: words(
    "Swedish|svenska|Kapitel|Akt|Prolog|Epilog|Grund",
    "Akt|Perspektiv|Viktiga händelser|Karaktärsutveckling|Känslomässigt ögonblick|Ny information|Krok|Metadata|Karaktärer|Värld",
  ),
  ru: words(
    "Russian|русский|Глава|Акт|Пролог|Эпилог|Основа",
    "Акт|Точка зрения|Ключевые события|Развитие персонажей|Эмоциональный момент|Новые сведения|Крючок|Сведения|Персонажи|Мир",
  ),
};

/** More words for a chapter, of languages whose plans have English headings. */
export const otherChapterWords = [
  "Kapittel",
  "Kapitola",
  "Luku",
  "Κεφάλαιο",
  "Розділ",
  "Bölüm",
  "Capitol",
  "פרק",
  "الفصل",
];

/** The words of a language tag; English ones where the language is not known. */
export function wordsOf(language: string | undefined): BookWords {
  return bookWords[(language ?? "en").toLowerCase().split(/[-_]/, 1)[0]!] ?? bookWords.en!;
}

/** What a part of a plan is called, in every language that is known: the English name first. */
export function namesOfPart(part: PartName): string[] {
  return [...new Set(Object.values(bookWords).map(({ parts }) => parts.find(([name]) => name === part)![1]))];
}
