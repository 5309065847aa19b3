// Which language a text is in: by its script, and among those of one script by its small words. A guess is made only where
// it is plain; a person confirms it.

const scripts: readonly (readonly [tag: string, pattern: RegExp])[] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["uk", /[ґєіїҐЄІЇ]/gu],
  ["ru", /\p{Script=Cyrillic}/gu],
  ["el", /\p{Script=Greek}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["ar", /\p{Script=Arabic}/gu],
  ["hi", /\p{Script=Devanagari}/gu],
  ["th", /\p{Script=Thai}/gu],
];

const small: Readonly<Record<string, string>> = {
  en: "the and of to in is that it was for with his her she he who on as at from by an but not are this must when has their into a",
  de: "der die das und ist nicht ein eine einer einem einen den dem des zu von mit sich auf für im er sie es als auch wird ihr sein seine aus wenn nach muss über",
  fr: "le la les et est un une des du que qui dans pour pas sur au avec son sa ses elle il se ce cette par plus aux doit leur mais où",
  es: "el la los las y es un una de que en no se del por con su sus para al lo como más pero ella él debe cuando una sobre",
  it: "il la lo gli le e è un una di che in non si del della per con suo sua al da come più ma lei deve nel quando sono",
  pt: "o a os as e é um uma de que em não se do da por com seu sua para ao como mais mas ela ele deve no na quando",
  nl: "de het een en is van niet dat die in op te zijn met voor aan haar hij zij er maar om als bij wordt moet naar uit over",
  pl: "i w na z nie się jest że do to jak ale o po za od przez jej jego który która musi dla kiedy są",
  sv: "och att det en ett är som på av för med inte den hon han till i men om sin ska när från måste",
};

/** The small words of every language that is known by them. */
export const smallWords: ReadonlySet<string> = new Set(Object.values(small).flatMap((list) => list.split(" ")));

/** The language of a text as a tag; undefined where it cannot be told. */
export function detectLanguage(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 3) return undefined;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin < letters / 2) return scripts.find(([, pattern]) => (text.match(pattern)?.length ?? 0) > letters / 20)?.[0];
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(small)
    .map(([tag, list]) => {
      const known = new Set(list.split(" "));
      return { tag, count: words.filter((word) => known.has(word)).length };
    })
    .sort((a, b) => b.count - a.count);
  const [first, second] = counts;
  const isPlain = first!.count >= 2 && first!.count > second!.count && first!.count >= words.length / 12;
  return isPlain ? first!.tag : undefined;
}
