// Small bugs and what was meant: how many the search's edits reach, and at which rank.
//
// Each piece of bugs/ is a stretch of right code and one fragment of it with a bug in its place. There are no tests: every
// line is as suspicious as any other, and what is asked is whether the right code is among the candidates, in its normal
// form. What does the same by other means does not count. The likelihoods of kinds in src/loops/code/search/likelihood.ts
// are fitted to these pieces; the fit is printed on stderr.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { biasOf } from "../packages/repair/src/candidates/likelihood.ts";
import { Listing } from "../packages/repair/src/candidates/listing.ts";
import { Places } from "../packages/repair/src/candidates/places.ts";
import { listInOrder } from "../packages/repair/src/candidates/singles.ts";
import { tighten } from "../packages/repair/src/candidates/syntax/form.ts";
import { Source } from "../packages/repair/src/candidates/syntax/source.ts";

const folder = join(import.meta.dirname, "bugs");
const ROUNDS = 100;
const PULL = 1.5;

/** Lists the candidates of every piece and counts. */
export async function run({ quick }: { quick: boolean }) {
  const begun = performance.now();
  const pieces = readPieces().filter((_, at) => !quick || at % 10 === 0);
  const listed: Listed[] = [];
  for (const piece of pieces) listed.push(await listPiece(piece));
  const reached = listed.filter(({ at }) => at >= 0);
  console.error(describeFit(reached));
  const within = (most: number) => reached.filter(({ at }) => at < most).length;
  const candidates = listed.reduce((sum, { kinds }) => sum + kinds.length, 0);
  const seconds = (performance.now() - begun) / 1000;
  return {
    total: listed.length,
    reached: reached.length,
    reached_share: Number((reached.length / listed.length).toFixed(3)),
    within_10: within(10),
    within_100: within(100),
    within_250: within(250),
    within_1000: within(1000),
    listed_per_s: Math.round(candidates / seconds),
    seconds: Number(seconds.toFixed(1)),
  };
}

interface Piece {
  path: string;
  right: string;
  wrong: string;
}

function readPieces(): Piece[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = name.startsWith("python") ? "piece.py" : "piece.ts";
      const texts = readFileSync(join(folder, name), "utf8").split(/^@@ piece /m);
      return texts.slice(1).map((text) => toPiece(text, path, name));
    });
}

function toPiece(text: string, path: string, name: string): Piece {
  const [, code = "", meant = "", bug = ""] =
    /^.*\n([\s\S]*?)^@@ right\n([\s\S]*?)^@@ wrong\n?([\s\S]*)$/m.exec(text) ?? [];
  const [right, wrong] = [meant.replace(/\n+$/, ""), bug.replace(/\n+$/, "")];
  // Whole lines that were forgotten leave no empty one.
  const fragment = wrong === "" && code.includes(meant) ? meant : right;
  const buggy = code.replace(fragment, () => wrong);
  if (right === "" || buggy === code) throw new Error(`${name}: ${text.split("\n")[0]} has no bug`);
  return { path, right: code, wrong: buggy };
}

interface Listed {
  /** The place of what was meant among the candidates; -1 where it is not. */
  at: number;
  kinds: string[];
  costs: number[];
}

async function listPiece({ path, right, wrong }: Piece): Promise<Listed> {
  const suspects = wrong.split("\n").map((_, at) => ({ path, line: at + 1, suspicion: 1 }));
  const places = await Places.open({ files: [{ path, content: wrong }], tests: [], suspects });
  const { source } = places.scene(path)!;
  const { form } = (await Source.open(path, right))!;
  const meant = JSON.stringify(tighten(source.form, { from: 0, to: source.form.length, tokens: form }));
  const candidates = listInOrder(places, new Listing(places)).map(({ candidate }) => candidate);
  return {
    at: candidates.findIndex(({ edits }) => JSON.stringify(source.change(edits)) === meant),
    kinds: candidates.map(({ kinds }) => (kinds[0]!.includes("+") ? "a+b" : kinds[0]!)),
    costs: candidates.map(({ cost }) => cost),
  };
}

/** What to add to each kind's cost, so that what was meant is as likely as it can be; the greatest first. */
function describeFit(listed: readonly Listed[]): string {
  const names = [...new Set(listed.flatMap(({ kinds }) => kinds))];
  const place = new Map(names.map((name, at) => [name, at]));
  const rows = listed.map(({ at, kinds, costs }) => ({
    at,
    kinds: Uint8Array.from(kinds, (kind) => place.get(kind)!),
    costs: Float64Array.from(costs),
  }));
  const right = new Float64Array(names.length);
  for (const { at, kinds } of rows) right[kinds[at]!]! += 1;
  const change = new Float64Array(names.length);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = new Float64Array(names.length);
    for (const { at, kinds, costs } of rows) {
      const share = new Float64Array(names.length);
      let all = 0;
      for (let each = 0; each < costs.length; each++) {
        const weight = 2 ** -(costs[each]! + change[kinds[each]!]!);
        share[kinds[each]!]! += weight;
        all += weight;
      }
      for (let kind = 0; kind < names.length; kind++) slope[kind]! += share[kind]! / all;
      slope[kinds[at]!]! -= 1;
    }
    for (let kind = 0; kind < names.length; kind++)
      change[kind]! += (slope[kind]! - PULL * change[kind]!) / (right[kind]! + 2);
  }
  const fitted = names.map((name, at) => ({ name, by: change[at]! })).sort((a, b) => b.by - a.by);
  return fitted
    .map(({ name, by }) => `${name.padEnd(20)} ${biasOf(name).toFixed(1)} ${by >= 0 ? "+" : ""}${by.toFixed(2)}`)
    .join("\n");
}
