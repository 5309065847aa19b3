// The novel loop's parts that a writer waits for: opening a large project, the diff of two versions, assembling context.
//
// The project has 200 chapters of beats and 150,000 words of prose, 1,000 iterations in its history files, its git log and
// its journal. The text is seeded pseudo-prose. Opening is the whole program, from its start to the end of the REPL.
// What feedback costs is measured on another book, of 30 chapters of 3,000 words: novel-iteration/book.ts.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createManuscript, openManuscript } from "@loopwright/novel/manuscript";
import { defineLoop, openProject, pass } from "loopwright";
import { z } from "zod";
import { measureChange } from "../packages/novel/src/diff/lines.ts";
import { diffFiles } from "../packages/novel/src/diff/sections.ts";
import { assembleContext } from "../packages/novel/src/manuscript/context.ts";
import { beginRepository } from "./novel-iteration/book-folder.ts";
import { costOf, darker, renamed } from "./novel-iteration/measure.ts";
import { gitProcesses } from "./novel-iteration/session.ts";

const binary = fileURLToPath(new URL("../packages/loopwright/bin/loopwright.js", import.meta.url));
const CHAPTERS = 200;
const ITERATIONS = 1_000;
const WORDS = 150_000;

export const aims = {
  ...{ open_ms: 300, diff_ms: 1_000, diff_rewritten_ms: 1_000 },
  ...{
    requests: 12,
    prompt_tokens: 160_000,
    named_requests: 6,
    named_prompt_tokens: 80_000,
    git_processes: 300,
    rename_prompt_tokens: 400_000,
  },
};

/** Builds the project and measures. */
export async function run({ quick }: { quick: boolean }) {
  const home = mkdtempSync(join(tmpdir(), "loopwright-novel-"));
  const folder = join(home, "long-novel");
  try {
    const feedback = "Make chapter 3 darker with more internal conflict";
    const one = await costOf(join(home, "darker"), { feedback, reach: [2, 3, 4, 5, 6, 7], revise: darker });
    const named = await costOf(join(home, "named"), { feedback, scope: "named", reach: [3], revise: darker });
    const all = Array.from({ length: 30 }, (_, at) => at + 1);
    const rename = await costOf(join(home, "renamed"), {
      feedback: "Rename Marcus to Tobias",
      reach: all,
      revise: renamed,
    });
    const iterations = quick ? 100 : ITERATIONS;
    await makeProject(folder, iterations);
    const rounds = quick ? 5 : 21;
    const prose = Array.from({ length: CHAPTERS }, (_, at) => chapter(at + 1, WORDS / CHAPTERS, 1));
    const revised = prose.map(({ path, content }, at) => ({ path, content: revise(content, at, 0.1) }));
    const rewritten = prose.map(({ path }, at) => ({ path, content: chapter(at + 1, WORDS / CHAPTERS, 2).content }));
    return {
      ...one,
      named_requests: named.requests,
      named_prompt_tokens: named.prompt_tokens,
      git_processes: await gitProcesses(join(home, "session"), binary),
      rename_requests: rename.requests,
      rename_prompt_tokens: rename.prompt_tokens,
      rename_by_prompt: rename.by_prompt,
      open_ms: median(rounds, () => openWhole(folder)),
      bare_start_ms: median(rounds, () => spawned([binary, "--version"])),
      open_in_process_ms: await medianAsync(rounds, async () => {
        await openManuscript(folder);
      }),
      diff_ms: median(5, () => diff(prose, revised)),
      diff_rewritten_ms: median(5, () => diff(prose, rewritten)),
      context_ms: await medianAsync(rounds, async () => {
        await assembleContext(await openManuscript(folder), "prose");
      }),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface File {
  path: string;
  content: string;
}

/** Both versions compared by sections and words, and measured. */
function diff(before: File[], after: File[]): number {
  const start = performance.now();
  const sections = diffFiles(before, after).flatMap((file) => file.sections);
  const { files_changed } = measureChange(before, after);
  if (sections.length === 0 || files_changed === 0) throw new Error("the diff found nothing");
  return performance.now() - start;
}

function openWhole(folder: string): number {
  const took = spawned([binary, "novel", folder], "/quit\n");
  return took;
}

function spawned(args: readonly string[], input = ""): number {
  const start = performance.now();
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { input });
  if (status !== 0) throw new Error(`${args.join(" ")} exited with ${status}: ${stdout}${stderr}`);
  return performance.now() - start;
}

async function makeProject(folder: string, iterations: number): Promise<void> {
  await createManuscript(folder, { title: "A long novel", genre: "fantasy", target_words: WORDS, chapters: CHAPTERS });
  const files = [
    { path: "premise/premise_metadata.json", content: premise() },
    { path: "treatment/treatment.md", content: `# A long novel\n\n## Act I\n\n${prose(3000, 7)}\n` },
    {
      path: "chapter-beats/foundation.md",
      content: `# Foundation\n\n## Metadata\n\n${prose(80, 8)}\n\n## Characters\n\n${prose(80, 9)}\n\n## World\n\n${prose(80, 10)}\n`,
    },
    ...Array.from({ length: CHAPTERS }, (_, at) => beats(at + 1)),
    ...Array.from({ length: CHAPTERS }, (_, at) => chapter(at + 1, WORDS / CHAPTERS, 1)),
    ...histories(iterations),
  ];
  const git = beginRepository(folder, files);
  execFileSync("git", ["-C", folder, "fast-import", "--quiet"], { input: commits(iterations) });
  git("add", "-A");
  git("commit", "-qm", "[prose] as it stands");
  await fillJournal(folder, iterations);
}

/** As many commits as iterations, each with its trailer; what they change does not matter here. */
function commits(iterations: number): string {
  const parts = Array.from({ length: iterations }, (_, at) => {
    const message = `[prose] iteration ${at}\n\nLoopwright-Iteration: it-${at}\n`;
    const text = `${at}\n`;
    return `commit refs/heads/main\ncommitter A Writer <writer@example.com> ${1_700_000_000 + at} +0000\ndata ${message.length}\n${message}\nM 644 inline notes.txt\ndata ${text.length}\n${text}\n`;
  });
  return parts.join("");
}

function histories(iterations: number): File[] {
  const folders = { premise: "premise", treatment: "treatment", chapters: "chapter-beats", prose: "chapters" };
  return Object.values(folders).map((name, level) => ({
    path: `${name}/iteration_history.json`,
    content: JSON.stringify(
      {
        iterations: Array.from({ length: iterations / 4 }, (_, at) => ({
          iteration_id: `it-${at * 4 + level}`,
          timestamp: new Date(1_700_000_000_000 - at * 60_000).toISOString(),
          feedback: prose(12, at),
          judge_attempts: 1 + (at % 3),
          judge_verdict: "approved",
          judge_reasoning: prose(60, at + 1),
          semantic_summary: prose(40, at + 2),
          files_changed: 3,
          lines_changed: 40,
        })),
      },
      null,
      2,
    ),
  }));
}

async function fillJournal(dir: string, count: number): Promise<void> {
  const loop = defineLoop({
    name: "novel",
    version: 1,
    input: z.null(),
    state: z.object({ note: z.string() }),
    initial: () => ({ note: "" }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: [],
        run: (_state, ctx) => {
          ctx.verdict(pass(1, "approved"));
          return ctx.end("done", { patch: { note: "some words that the run remembers" } });
        },
      },
    },
  });
  await using project = await openProject({ dir });
  for (let made = 0; made < count; made++) await project.start(loop, null);
}

const premise = () =>
  `${JSON.stringify(
    {
      title: "A long novel",
      logline: prose(20, 1),
      premise: prose(80, 2),
      genre: "fantasy",
      themes: ["duty", "loss"],
      tone: "dark",
      setting: prose(20, 3),
      protagonist: { name: "Mara", want: prose(8, 4), need: prose(8, 5), flaw: prose(8, 6) },
      antagonist: "The tide",
      stakes: prose(10, 7),
      hook: prose(10, 8),
    },
    null,
    2,
  )}\n`;

function nameOf(number: number): string {
  return `chapter-${String(number).padStart(2, "0")}.md`;
}

function beats(number: number): File {
  const parts = ["Act", "POV", "Key Events", "Character Development", "Emotional Beat", "New Information", "Hook"];
  const body = parts.map((part, at) => `## ${part}\n\n${prose(20, number * 10 + at)}\n`).join("\n");
  return { path: `chapter-beats/${nameOf(number)}`, content: `# Chapter ${number}\n\n${body}` };
}

function chapter(number: number, words: number, seed: number): File {
  const paragraphs = Array.from({ length: Math.ceil(words / 75) }, (_, at) =>
    prose(75, seed * 1e6 + number * 100 + at),
  );
  return { path: `chapters/${nameOf(number)}`, content: `# Chapter ${number}\n\n${paragraphs.join("\n\n")}\n` };
}

/** Replaces a share of the words, here and there. */
function revise(text: string, seed: number, share: number): string {
  const random = numbers(seed + 1);
  return text.replace(/[a-z]+/g, (word) =>
    random() < share ? vocabulary[Math.floor(random() * vocabulary.length)]! : word,
  );
}

const vocabulary = Array.from({ length: 4_000 }, (_, at) => {
  const random = numbers(at + 1);
  const syllable = () => "bcdfghklmnprstvw"[Math.floor(random() * 16)]! + "aeiou"[Math.floor(random() * 5)]!;
  return Array.from({ length: 1 + Math.floor(random() * 3) }, syllable).join("");
});

function prose(words: number, seed: number): string {
  const random = numbers(seed + 1);
  const list = Array.from({ length: words }, () => vocabulary[Math.floor(random() ** 2 * vocabulary.length)]!);
  return `${list.map((word, at) => (at % 12 === 11 ? `${word}.` : word)).join(" ")}.`;
}

/** Mulberry32. */
function numbers(seed: number): () => number {
  let state = seed * 2654435769;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function median(rounds: number, measure: () => number): number {
  return middle(Array.from({ length: rounds + 1 }, measure).slice(1));
}

async function medianAsync(rounds: number, work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return middle(times.slice(1));
}

function middle(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[values.length >> 1]! * 10) / 10;
}
