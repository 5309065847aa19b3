// Pseudo-prose: sentences of made-up words whose frequencies fall off like those of a language. Seeded, so the same
// everywhere, and never the same text twice. zstd at level 1 must leave at least half of it, as it does with English.

import { constants, zstdCompressSync } from "node:zlib";
import { randomStream } from "@loopwright/core";

const VOCABULARY = 60_000;
const ONSETS =
  "b c d f g h j k l m n p qu r s t v w y z bl br ch cl cr dr fl fr gl gr kn pl pr sc sh sk sl sm sn sp st str sw th thr tr tw wh".split(
    " ",
  );
const VOWELS = "a e i o u y a e i o e ai au ay ea ee ei ia ie io oa oo ou ow ue ui".split(" ");
const CODAS =
  ",,,b,c,d,f,g,k,l,m,n,p,r,s,t,x,ck,ct,ft,ld,ly,mp,nd,ng,nk,nt,pt,rd,rk,rm,rt,sh,sk,ss,st,th,ed,er,es".split(",");

/** A writer of text: each call gives the next so many characters of an endless, never repeating text. */
export function proseWriter(seed: number | string): (length: number) => string {
  const random = randomStream("prose", seed);
  const word = wordPicker(random);
  let rest = "";
  return (length) => {
    const parts = [rest];
    for (let size = rest.length; size < length; ) {
      const text = sentence(random, word);
      parts.push(text);
      size += text.length;
    }
    const all = parts.join("");
    rest = all.slice(length);
    return flat(all.slice(0, length));
  };
}

/** What part of a text zstd at level 1 leaves. */
export function compressedShare(text: string): number {
  const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
  return zstdCompressSync(text, options).length / Buffer.byteLength(text);
}

function sentence(random: () => number, word: () => string): string {
  const words = Array.from({ length: 6 + Math.floor(random() * 16) }, () => word() + (random() < 0.08 ? "," : ""));
  const text = words.join(" ").replace(/,$/, "");
  return `${text[0]!.toUpperCase()}${text.slice(1)}${random() < 0.12 ? "?" : "."}${random() < 0.15 ? "\n\n" : " "}`;
}

/** Picks words by Zipf's law from a vocabulary in which the frequent words are the short ones. */
function wordPicker(random: () => number): () => string {
  const words = vocabulary();
  const reach: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= words.length; rank++) {
    sum += 1 / (rank + 30);
    reach.push(sum);
  }
  return () => words[firstAbove(reach, random() * sum)]!;
}

let known: string[] | undefined;

function vocabulary(): string[] {
  if (known) return known;
  const random = randomStream("vocabulary");
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]!;
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    const syllables = 1 + Math.floor(random() * Math.min(4, 1.3 + words.size / 150));
    let text = "";
    for (let count = 0; count < syllables; count++) text += pick(ONSETS) + pick(VOWELS);
    words.add(text + pick(CODAS));
  }
  known = [...words];
  return known;
}

function firstAbove(reach: readonly number[], target: number): number {
  let [low, high] = [0, reach.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reach[middle]! > target) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The same text as one piece of memory, so that whoever reads it first does not pay for joining or cutting it. */
function flat(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}
