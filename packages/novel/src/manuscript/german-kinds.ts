// What German feedback is about, by its words. None of them is an English word of another kind.

const words: Readonly<Record<string, string>> = {
  ending: "schluss|schluß|ende|endes|ausgang|epilogs?|höhepunkt\\p{L}*|auflösung|letzte[nrs]? (?:kapitel|szene)",
  dialogue: "dialog(?:e|en|s)?|gespräch\\p{L}*|wortwechsel\\p{L}*|wörtliche rede|rede[nt]|sprech\\p{L}*|spricht",
  pacing:
    "tempo|langsam\\p{L}*|schnell\\p{L}*|rasch\\p{L}*|zäh\\p{L}*|schlepp\\p{L}*|zieht sich|gehetzt\\p{L}*|hastig\\p{L}*|spannung\\p{L}*|spannend\\p{L}*",
  length:
    "lang|lange[nrs]?|länge[nr]?|längere\\p{L}*|kurz\\p{L}*|kürz\\p{L}*|gekürzt\\p{L}*|straff\\p{L}*|gestrafft\\p{L}*|knapp\\p{L}*|ausführlich\\p{L}*|wörter\\p{L}*",
  structure:
    "aufbau\\p{L}*|struktur\\p{L}*|reihenfolge|akte?|umstell\\p{L}*|verschieb\\p{L}*|aufteil\\p{L}*|zusammenleg\\p{L}*|(?:neues|weiteres|streiche?|lösche?|entferne?) kapitel",
  tone: "dunkl\\p{L}*|dunkel\\p{L}*|düster\\p{L}*|finster\\p{L}*|heller\\p{L}*|tonfall\\p{L}*|(?:der|den|dem|im|am) ton|stimmung\\p{L}*|witzig\\p{L}*|lustig\\p{L}*|komisch\\p{L}*|traurig\\p{L}*|hoffnungsvoll\\p{L}*|ernste[mnrs]?|ernsthaft\\p{L}*|wärmer\\p{L}*|bedrohlich\\p{L}*|unheimlich\\p{L}*|gefühl\\p{L}*|niedlich\\p{L}*",
  character:
    "figur(?:en)?|hauptfigur\\p{L}*|charakter\\p{L}*|heldin\\p{L}*|helden|der held|protagonist(?:in|en|innen)|antagonist(?:in|en|innen)|bösewicht\\p{L}*|beweggr\\p{L}*|schwäche\\p{L}*|vorgeschichte\\p{L}*|beziehung\\p{L}*|sympathisch\\p{L}*",
  plot: "(?:neben|rahmen)?handlung\\p{L}*|wendung\\p{L}*|verrat\\p{L}*|verrät|ereignis\\p{L}*|konflikt\\p{L}*|szenen?|enthüll\\p{L}*|geheimnis\\p{L}*|andeut\\p{L}*",
  world:
    "welt\\p{L}*|schauplatz\\p{L}*|schauplätze\\p{L}*|umgebung\\p{L}*|ort(?:e|en|es)?|stadt|städte\\p{L}*|landschaft\\p{L}*|magie|magisch\\p{L}*|kultur\\p{L}*",
  style:
    "stil|stils|stilistisch\\p{L}*|sprache|sprachlich\\p{L}*|satz|satzbau|sätze\\p{L}*|metapher\\p{L}*|adjektiv\\p{L}*|adverbien|\\p{L}*perspektive\\p{L}*|erzählstimme|bildhaft\\p{L}*|klischee\\p{L}*|präsens|präteritum|beschreib\\p{L}*|formulier\\p{L}*|prosa",
};

/** A pattern for each kind, as `kindOfFeedback` counts them. */
export const germanKinds: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(words).map(([kind, each]) => [kind, new RegExp(`(?<!\\p{L})(?:${each})(?!\\p{L})`, "giu")]),
);
