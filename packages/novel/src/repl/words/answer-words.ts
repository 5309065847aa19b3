// The small words of answers in the languages that are known: a writer answers in their book's language, or in English.

interface AnswerWords {
  yes: string;
  no: string;
  all: string;
  none: string;
  /** Choices of questions, each with what else it is called. */
  choices: Readonly<Record<string, string>>;
  /** What joins more to an answer: "yes, but …", "no, because …". */
  joints: string;
  /** What may be said after an answer without saying more: "yes, please". */
  courtesies: string;
}

const english: AnswerWords = {
  ...{ yes: "yes|y|yeah|ok|okay|sure|of course|certainly", no: "no|n|nope", all: "all", none: "none" },
  choices: {},
  joints: "but|because|cause|since|as|and|though|although|however|except that|except|only|just",
  courtesies: "please|thanks|thank you|go ahead|of course|certainly|perfect|great|lovely|very good|ok|okay",
};

/** By language tag, without a region. */
const others: Readonly<Record<string, AnswerWords>> = {
  de: {
    ...{ yes: "ja|j|jawohl|natürlich|klar", no: "nein|nee", all: "alle|alles", none: "keine|keiner|keines" },
    choices: {
      skip: "überspringen|weiter",
      cancel: "abbrechen",
      stop: "stopp|halt|aufhören",
      leave: "lass|lassen",
      release: "freigeben",

      "keep-all": "alles behalten|behalten|behalte alles",
      cascade: "kaskade",
      each: "einzeln|nach und nach",
      end: "am ende",
    },
    joints: "aber|jedoch|weil|denn|da|und|nur|außer",
    courtesies: "bitte|danke|gern|gerne|natürlich|klar|perfekt|prima|sehr gut",
  },
  fr: {
    ...{ yes: "oui|d'accord|d’accord|bien sûr", no: "non", all: "tout|tous|toutes", none: "aucun|aucune" },
    choices: {
      skip: "passer|passe",
      cancel: "annuler|annule",
      stop: "arrêter|arrête",
      leave: "laisse|laisser",
      release: "libère|libérer",
      "keep-all": "tout garder|garder|garde tout",
      cascade: "en cascade",
      each: "un par un",
      end: "à la fin",
    },
    joints: "mais|parce que|car|puisque|et|seulement|sauf",
    courtesies:
      "s['’]il (?:te|vous) plaît|merci|volontiers|bien sûr|(?:c['’]est )?(?:parfait|très bien|bon)(?: comme ça)?|super",
  },
  es: {
    ...{ yes: "sí|si|vale|de acuerdo", no: "no", all: "todo|todos|todas", none: "ninguno|ninguna" },
    choices: {
      skip: "saltar|omitir",
      cancel: "cancelar|cancela",
      stop: "parar|para",
      leave: "deja|dejar|déjalo",
      release: "libera|liberar",

      "keep-all": "conservar todo|conserva todo|guardar todo",
      cascade: "en cascada|cascada",
      each: "uno por uno",
      end: "al final",
    },
    joints: "pero|porque|pues|ya que|y|solo|sólo|salvo",
    courtesies: "por favor|gracias|claro|por supuesto|perfecto|muy bien",
  },
  it: {
    ...{ yes: "sì|si|va bene|d'accordo|d’accordo", no: "no", all: "tutto|tutti|tutte", none: "nessuno|nessuna" },
    choices: {
      skip: "salta|saltare",
      cancel: "annulla|annullare",
      stop: "ferma|fermati|basta",
      leave: "lascia|lasciare|lascialo",
      release: "libera|liberare",

      "keep-all": "tieni tutto|tenere tutto|tieni",
      cascade: "a cascata|cascata",
      each: "uno alla volta|uno per uno",
      end: "alla fine",
    },
    joints: "ma|però|perché|poiché|e|solo|tranne",
    courtesies: "per favore|grazie|volentieri|certo|certamente|perfetto|molto bene|va bene",
  },
  pt: {
    ...{ yes: "sim", no: "não|nao", all: "tudo|todos|todas", none: "nenhum|nenhuma" },
    choices: {
      skip: "pular|saltar",
      cancel: "cancelar|cancela",
      stop: "parar|pare",
      leave: "deixa|deixar|deixe",
      release: "libera|liberar|libere",

      "keep-all": "manter tudo|mantém tudo",
      cascade: "em cascata|cascata",
      each: "um por um",
      end: "no fim|no final",
    },
    joints: "mas|porém|porque|pois|e|só|apenas|exceto",
    courtesies: "por favor|obrigado|obrigada|claro|perfeito|muito bem",
  },
  nl: {
    ...{ yes: "ja", no: "nee|neen", all: "alle|alles", none: "geen" },
    choices: {
      skip: "overslaan",
      cancel: "annuleren|annuleer",
      stop: "stoppen",
      leave: "laat|laten",
      release: "vrijgeven",

      "keep-all": "alles houden|houd alles",
      cascade: "in cascade",
      each: "een voor een|één voor één",
      end: "aan het eind",
    },
    joints: "maar|omdat|want|en|alleen|behalve",
    courtesies: "graag|alsjeblieft|dank je|bedankt|natuurlijk|perfect|heel goed",
  },
  pl: {
    ...{ yes: "tak", no: "nie", all: "wszystko|wszystkie", none: "żaden|żadna|żadne" },
    choices: {
      skip: "pomiń",
      cancel: "anuluj",
      stop: "przerwij",
      leave: "zostaw",
      release: "zwolnij",
      "keep-all": "zachowaj wszystko|zachowaj",
      cascade: "kaskada|kaskadowo",
      each: "po kolei",
      end: "na końcu",
    },
    joints: "ale|bo|ponieważ|gdyż|i|tylko|oprócz",
    courtesies: "proszę|dzięki|dziękuję|oczywiście|świetnie",
  },
  sv: {
    ...{ yes: "ja", no: "nej", all: "alla|allt", none: "ingen|inget|inga" },
    choices: {
      skip: "hoppa över",
      cancel: "avbryt",
      stop: "stoppa|sluta",
      leave: "lämna",
      release: "släpp",
      "keep-all": "behåll allt|behåll",
      cascade: "kaskad",
      each: "en i taget",
      end: "i slutet",
    },
    joints: "men|eftersom|därför att|för att|och|bara|utom",
    courtesies: "tack|gärna|självklart|perfekt|mycket bra",
  },
  ru: {
    ...{ yes: "да", no: "нет", all: "все|всё", none: "никакой" },
    choices: {
      skip: "пропустить",
      cancel: "отменить|отмена",
      stop: "стоп|остановить",
      leave: "оставь|оставить",
      release: "освободи|освободить",

      "keep-all": "оставить всё|оставить все|оставь всё|оставь все",
      cascade: "каскад|каскадом",
      each: "по одному",
      end: "в конце",
    },
    joints: "но|потому что|так как|и|только|кроме",
    courtesies: "пожалуйста|спасибо|конечно|отлично",
  },
};

/** An answer of one word in English, where it is one of the language's, with a courtesy or without; else as it stands. */
export function plainAnswer(line: string, language?: string, more: readonly string[] = []): string {
  const own = wordsIn(language);
  const courtesies = [english, ...(own ? [own] : [])]
    .map((known) => known.courtesies)
    .concat(more)
    .join("|");
  const said = line
    .trim()
    .toLowerCase()
    .replace(/\s*[.!]+$/, "");
  const word = said
    .replace(new RegExp(`(?:[\\s,]+(?:${courtesies}))+$`, "u"), "")
    .replace(new RegExp(`^(?:(?:${courtesies})[\\s,]+)+`, "u"), "");
  for (const known of [english, own])
    for (const [answer, words] of Object.entries(known ? answersOf(known) : {}))
      if (words.split("|").includes(word)) return answer;
  return word !== said && /^[\p{L}\d-]+$/u.test(word) ? word : line;
}

function answersOf({ yes, no, all, none, choices }: AnswerWords): Readonly<Record<string, string>> {
  return { yes, no, all, none, ...choices };
}

/** What stands between an answer and what is said with it. */
export function jointIn(language?: string): RegExp {
  const joints = [english.joints, wordsIn(language)?.joints ?? []].flat().join("|");
  return new RegExp(`^(?:${joints})(?![\\p{L}\\p{N}])[\\s,:]*|^parce qu['’]`, "iu");
}

/** Words that a sentence cannot do without, for how it is built or for what it says: "weil es zu brav ist", "except 1". */
export const BINDING =
  /^(?:weil|da|omdat|eftersom|därför att|except|sauf|außer|salvo|tranne|exceto|behalve|oprócz|utom|кроме|only|just|nur|seulement|solo|sólo|só|apenas|alleen|tylko|bara|только)(?!\p{L})/iu;

function wordsIn(language = ""): AnswerWords | undefined {
  return others[language.toLowerCase().split(/[-_]/, 1)[0]!];
}
