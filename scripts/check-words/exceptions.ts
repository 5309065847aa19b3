// Where a word of the list stays, and why. What a pattern finds is not looked at; one that finds nothing any more is reported.

export interface Exception {
  /** The files, by glob. */
  files: readonly string[];
  /** What stays in them. Left out, all of it does: the file is not looked at. */
  text?: RegExp;
  why: string;
}

export const exceptions: readonly Exception[] = [
  {
    files: ["packages/novel/**", "test/e2e/novel*.test.ts", "docs/api/novel.md", "docs/novel-levels.md"],
    text: /\b(?:Example of the |VOICE_)?[Vv]oices?(?:_sample|-sample|Sample)?\b/g,
    why: "the voice of a book",
  },
  {
    files: ["packages/novel/**", "test/e2e/novel*.test.ts", "docs/api/novel.md"],
    text: /\bfinalised\b/g,
    why: "the id of a note, which runs have recorded",
  },
  {
    files: [
      "packages/novel/src/{index,task}.ts",
      "packages/novel/src/{task,writing/told}.test.ts",
      "docs/api/novel.md",
    ],
    text: /\b(?:finalise|summarise)(?=: \{|")|\bjudgement\b|\bsaid_back\b/g,
    why: "names of before version 3, which runs of then are read by",
  },
  {
    files: ["scripts/check-words/*", "test/e2e/check-words.test.ts", "docs/decisions/*-words.md"],
    why: "they name the words",
  },
  {
    files: ["packages/*/vendor/**"],
    why: "written by others",
  },
  {
    files: ["test/fixtures/**", "bench/novel-iteration/**", "test/traces/**/*.json"],
    why: "material as it was recorded or collected, not our own text",
  },
  {
    files: [
      "packages/models/**",
      "packages/loopwright/src/arguments/commands.ts",
      "docs/cli.md",
      "test/e2e/{cli/json,installed}.test.ts",
    ],
    text: /\bmend-(?:error|format)\b/g,
    why: "ids of prompts: recorded runs name them, and a project's own copies are found by them",
  },
  {
    files: ["packages/code/**", "test/fakes/code-runs.ts", "docs/api/code.md"],
    text: /"mend"|\bmend: \[|\bid: mend\b|\bmend\.md\b|\bmended: fix &&/g,
    why: "the id of a prompt, as above, and a key of a recorded effect's input",
  },
  {
    files: ["packages/code/src/{index,version.test}.ts", "docs/decisions/*-repositories.md", "docs/api/code.md"],
    text: /"summarise"|\bsummarise(?=: \{)|SUMMARISE/g,
    why: "a phase's name of before version 5: a run may stand before it",
  },
  {
    files: [
      "packages/code/src/{task,workspace}.ts",
      "packages/code/src/{version,workspace}.test.ts",
      "packages/code/src/asking/questions.ts",
      "packages/code/src/phases/implement.ts",
    ],
    text: /\bsaid_back\b/g,
    why: "what older runs recorded, and what a project's own copy of a prompt may name",
  },
  {
    files: ["packages/hull/src/{task,task-file.test,loop.test,asking/questions}.ts"],
    text: /\b(?:centre|metres)\b/g,
    why: "a frame's older keys, which are still read",
  },
  {
    files: [
      "packages/fab/templates/*.py",
      "packages/fab/src/critics/alignment/*.ts",
      "packages/fab/src/builders/search.ts",
    ],
    text: /\bgrey\b/g,
    why: "a color's name in templates' parameters, which runs have recorded; a request may say either",
  },
  {
    files: ["CHANGELOG.md"],
    text: /`(?:summarise|Judgement|Glance|Journal\.glances\(\)|said_back|npm run bench -- slips)`/g,
    why: "names that were given up, for whoever looks for them",
  },
  {
    files: ["CHANGELOG.md"],
    text: /\bvoice\b/g,
    why: "a book's",
  },
  {
    files: ["packages/models/src/prompt/tokens-recorded.test.ts"],
    text: /\bslip out\b/g,
    why: "a text whose tokens were counted elsewhere",
  },
  {
    files: ["packages/loopwright/src/configuration/configuration.test.ts", "test/e2e/extending.test.ts"],
    text: /\bcolours\b/g,
    why: "a key that is not known, for the hint at the right one",
  },
];
