// Plain words and American spelling, in names, comments, messages, prompts and pages. A word counts wherever it stands: in a sentence,
// and as a part of a name, as in `mendAll`, `MEND_ALL` and `mend_all`.

import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path/posix";
import { filesAt } from "./packages.ts";

const words: Record<string, string> = {
  ...{ mend: "fix", mends: "fixes", mended: "fixed", mending: "fixing", misfit: "mismatch", misfits: "mismatches" },
  ...{ overhear: "onAnswer", overhears: "onAnswer", overheard: "onAnswer", wish: "request", wishes: "requests" },
  ...{ wished: "asked for", obey: "execute", obeys: "executes", obeyed: "executed", glance: "summary" },
  ...{ glances: "summaries", voice: "output", voices: "outputs", narrator: "renderer", narrators: "renderers" },
  ...{ slip: "bug", slips: "bugs", torn: "truncated" },
  ...american(),
};
/** These count as they are written. */
const phrases: Record<string, string> = {
  ...{ goOn: "resume", carryOn: "drive", wayOn: "next", said_back: "feedback", saidBack: "feedback" },
  ...{ "mind at the desk": "a person or an agent answering by hand" },
};

/** What stays, and why: in these files, what the pattern finds. */
const exceptions: { files: string; text: RegExp; why: string }[] = [
  {
    files: "packages/novel/**",
    text: /\b(?:Example of the |VOICE_)?[Vv]oices?(?:_sample|-sample|Sample)?\b/g,
    why: "a book's",
  },
  { files: "{CHANGELOG.md,docs/{novel*,decisions/*}.md,test/e2e/novel*.ts}", text: /\b[Vv]oices?\b/g, why: "a book's" },
  { files: "{packages/novel/**,test/e2e/novel*.ts}", text: /\bfinalised\b/g, why: "the id of a note" },
  {
    files: "packages/novel/src/{index,task,**/*.test}.ts",
    text: /\b(?:finalise|summarise)(?=: \{|")|\bjudgement\b|\bsaid_back\b/g,
    why: "names that recorded runs have",
  },
  { files: "**", text: /\bmend-(?:error|format)\b/g, why: "ids of prompts: a project's own copies are found by them" },
  {
    files: "{packages/code/**,test/fakes/code-runs.ts}",
    text: /"mend"|\bmend: \[|\bid: mend\b|\bmend\.md\b|\bmended: fix &&|"summarise"|\bsummarise(?=: \{)|SUMMARISE|\bsaid_back\b/g,
    why: "ids of prompts and phases, and keys of a recorded effect's input",
  },
  {
    files: "{packages/fab/**,docs/decisions/*}",
    text: /\bgrey\b/g,
    why: "a color's name in templates' parameters; a request may say either",
  },
  { files: "**/*.test.ts", text: /\bslip out\b|\bcolours\b/g, why: "texts and keys that a test hands in" },
];
/** Written by others, recorded or collected, or about the words. */
const others = "{packages/*/vendor,test/fixtures,bench/bugs,bench/novel-iteration}/**";
const about = "{scripts/check-words.ts,test/e2e/check-words.test.ts}";

const instead = new Map(Object.entries({ ...words, ...phrases }));
const pattern = new RegExp(`(?:${Object.keys(phrases).join("|")})(?![a-z])|[A-Z]?[a-z]+|[A-Z]+(?![a-z])`, "g");

const folders = ["bench", "docs", "examples", "packages", "scripts", "test"];
const globs = folders.map((folder) => `${folder}/**/*.{cjs,js,md,mjs,py,ts,yaml}`);
const paths = filesAt("*.{md,ts}", "packages/*/package.json", ...globs).filter(
  (path) => !matchesGlob(path, others) && !matchesGlob(path, about),
);
const findings = paths.flatMap(findingsIn);
console.log(`${paths.length} files, ${instead.size} words that are not used`);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;

function findingsIn(path: string): string[] {
  const excepted = exceptions.filter(({ files }) => matchesGlob(path, files));
  const looked = excepted.reduce((text, each) => text.replace(each.text, ""), readFileSync(path, "utf8"));
  return looked.split("\n").flatMap((line, at) =>
    (line.match(pattern) ?? []).flatMap((found) => {
      const plain = instead.get(found) ?? instead.get(found.toLowerCase());
      return plain === undefined ? [] : [`${path}:${at + 1}: '${found}': write '${plain}'`];
    }),
  );
}

/** British spellings and the American ones. */
function american(): Record<string, string> {
  const ours = ["behavi", "col", "fav", "flav", "harb", "hon", "lab", "neighb", "rum", "vap"];
  const verbs = [
    ...["apolog", "author", "capital", "character", "emphas", "final", "general", "initial", "minim", "maxim"],
    ...["memor", "normal", "optim", "organ", "priorit", "random", "raster", "real", "recogn", "serial", "special"],
    ...["summar", "synchron", "token", "visual"],
  ];
  // `cancelled` is an outcome's name, which journals and scripts have.
  const doubled = ["labell", "levell", "modell", "signall", "travell"];
  const endings = (stems: [string, string][], all: string[]) =>
    Object.fromEntries(stems.flatMap(([from, to]) => all.map((ending) => [`${from}${ending}`, `${to}${ending}`])));
  return {
    ...endings(
      ours.map((stem) => [`${stem}our`, `${stem}or`]),
      ["", "s", "ed", "ing"],
    ),
    ...endings(
      verbs.map((verb) => [`${verb}is`, `${verb}iz`]),
      ["e", "es", "ed", "er", "ing"],
    ),
    ...endings(
      doubled.map((verb) => [verb, verb.slice(0, -1)]),
      ["ed", "ing"],
    ),
    ...endings(
      ["met", "millimet", "kilomet", "lit", "fib", "cent"].map((stem) => [`${stem}re`, `${stem}er`]),
      ["", "s"],
    ),
    ...{ centred: "centered", grey: "gray", greys: "grays", catalogue: "catalog", catalogues: "catalogs" },
    ...{ analyse: "analyze", analysed: "analyzed", favourite: "favorite", defence: "defense", learnt: "learned" },
    ...{ licence: "license", licences: "licenses", judgement: "judgment", judgements: "judgments" },
    ...{ artefact: "artifact", artefacts: "artifacts" },
  };
}
