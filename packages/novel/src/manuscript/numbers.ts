// Numbers as titles and feedback write them: 12, twelve, XII.

const ones =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const roman = { c: 100, xc: 90, l: 50, xl: 40, x: 10, ix: 9, v: 5, iv: 4, i: 1 };

/** A number in words, as a part of a pattern. */
export const NUMBER_WORDS = `(?:${tens.join("|")})(?:[- ](?:${ones.slice(0, 9).join("|")}))?|${[...ones].reverse().join("|")}`;

/** The number that a word stands for; undefined where it stands for none. */
export function wordToNumber(word: string): number | undefined {
  const small = word.toLowerCase().trim();
  if (/^\d{1,4}$/.test(small)) return Number(small);
  if (ones.includes(small)) return ones.indexOf(small) + 1;
  const [ten = "", one] = small.split(/[- ]/);
  if (tens.includes(ten)) {
    const more = one === undefined ? 0 : ones.indexOf(one) + 1;
    return more <= 9 && (one === undefined || more > 0) ? (tens.indexOf(ten) + 2) * 10 + more : undefined;
  }
  return /^[ivxlc]+$/.test(small) ? romanToNumber(small) : undefined;
}

/** A number in English words, in figures past ninety-nine. */
export function numberToWord(number: number): string {
  if (number < 20) return ones[number - 1] ?? String(number);
  if (number > 99) return String(number);
  const one = number % 10 === 0 ? "" : `-${ones[(number % 10) - 1]}`;
  return `${tens[Math.floor(number / 10) - 2]}${one}`;
}

/** The number of a title such as `Act II`; undefined where it has none. */
export function numberedTitle(title: string, word: string): number | undefined {
  const pattern = new RegExp(`^${word}\\s+(\\d{1,4}|[ivxlc]+|${NUMBER_WORDS})\\b(?![-'’])`, "i");
  const found = pattern.exec(title)?.[1];
  if (found !== undefined) return wordToNumber(found);
  const ordinal = new RegExp(`^(${ordinals.join("|")})\\s+${word}\\b`, "i").exec(title)?.[1];
  return ordinal === undefined ? undefined : ordinals.indexOf(ordinal.toLowerCase()) + 1;
}

/** A word is a Roman number only where it is written as one would write it: `ill` and `civic` are words. */
function romanToNumber(word: string): number | undefined {
  let rest = word;
  let sum = 0;
  for (const [signs, value] of Object.entries(roman)) {
    for (; rest.startsWith(signs); rest = rest.slice(signs.length)) sum += value;
  }
  return rest === "" && numberToRoman(sum) === word ? sum : undefined;
}

/** A number as Romans write it, in small letters. */
export function numberToRoman(number: number): string {
  let left = number;
  let word = "";
  for (const [signs, value] of Object.entries(roman)) {
    for (; left >= value; left -= value) word += signs;
  }
  return word;
}
