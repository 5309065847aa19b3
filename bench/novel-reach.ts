// How well feedback is read: feedbacks whose reach was labeled beforehand, and which files a model's plan names for each.
//
//   npm run bench -- novel-reach                          recorded answers are read again; no model is asked
//   READ_URL=http://127.0.0.1:8899/v1 [READ_MODEL=desk] npm run bench -- novel-reach
//                                                         an OpenAI-compatible endpoint is asked what is new or outdated, and its
//                                                         answers recorded
//
// Fixtures and their form: test/fixtures/novel-reach/README.md. A recorded answer belongs to the prompt that it was given to;
// where the prompt is another by now, it still counts, and `outdated` says how many there are.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens, loadPrompt, renderPrompt, toRequest } from "@loopwright/models";
import { promptsFolder } from "@loopwright/novel";
import { filesCalled, planIn, readAnswer, readingForm, readingVariables, wantedIn } from "@loopwright/novel/reading";

const FIXTURES = join(import.meta.dirname, "../test/fixtures/novel-reach");

export const aims = { missed: 0.05, superfluous: 0.2, longest_prompt: 16_000 };

type Level = "prose" | "chapters";
type File = { path: string; content: string };

interface Labeled {
  id: string;
  feedback: string;
  level?: Level;
  /** Names of files, or `all`. */
  reach: readonly string[];
}

interface Fixture {
  /** Files by path, or a folder beside the fixture with `chapters/` and `chapter-beats/`. */
  book: Readonly<Record<string, string>> | string;
  level?: Level;
  feedbacks: readonly Labeled[];
}

/** A question by its hash, and what was answered; the second one of a feedback is asked with what the first wanted to see. */
interface Turn {
  asked: string;
  answer: string;
}

export interface Scored {
  id: string;
  expected: string[];
  proposed: string[];
}

/** Asks or reads again, and scores. */
export async function run({ folder = FIXTURES }: { quick?: boolean; folder?: string } = {}) {
  const scored: Scored[] = [];
  const counts = { looked: 0, outdated: 0, unanswered: 0, longest_prompt: 0 };
  const names = readdirSync(folder).filter((name) => name.endsWith(".json") && !name.endsWith(".answers.json"));
  for (const name of names.sort()) {
    const { book, level = "prose", feedbacks } = JSON.parse(readFileSync(join(folder, name), "utf8")) as Fixture;
    const files = typeof book === "string" ? readFolder(join(folder, book)) : fileList(book);
    const place = join(folder, name.replace(/\.json$/, ".answers.json"));
    const answers: Record<string, Turn[]> = existsSync(place) ? JSON.parse(readFileSync(place, "utf8")) : {};
    const asking = feedbacks.map(async (each) => {
      const reader = readerOf(files, each.level ?? level, each.feedback);
      if (process.env.READ_URL && (await isOutdated(answers[each.id], reader)))
        answers[each.id] = await askAll(process.env.READ_URL, reader);
    });
    await Promise.all(asking);
    if (process.env.READ_URL) writeFileSync(place, `${JSON.stringify(answers, null, 2)}\n`);
    for (const each of feedbacks) {
      const reader = readerOf(files, each.level ?? level, each.feedback);
      const turns = answers[each.id];
      counts.longest_prompt = Math.max(counts.longest_prompt, (await reader.question()).tokens);
      if (!turns) {
        counts.unanswered++;
        continue;
      }
      if (await isOutdated(turns, reader)) counts.outdated++;
      if (turns.length > 1) counts.looked++;
      const expected = each.reach.includes("all") ? reader.paths : filesCalled(each.reach, reader.paths);
      scored.push({ id: each.id, expected, proposed: reader.filesIn(turns.at(-1)!.answer) });
    }
  }
  for (const each of scored) console.error(lineOf(each));
  return { ...totals(scored), ...counts };
}

/** Over all feedbacks: of what is reached, how much was found; of what was proposed, how much is reached. */
export function totals(scored: readonly Scored[]) {
  const sum = (pick: (each: Scored) => number) => scored.reduce((total, each) => total + pick(each), 0);
  const found = sum(({ expected, proposed }) => expected.filter((path) => proposed.includes(path)).length);
  const [expected, proposed] = [sum((each) => each.expected.length), sum((each) => each.proposed.length)];
  const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((1_000 * part) / whole) / 1_000);
  return {
    feedbacks: scored.length,
    ...{ recall: share(found, expected), precision: share(found, proposed) },
    ...{ missed: share(expected - found, expected), superfluous: share(proposed - found, proposed) },
  };
}

/** How one feedback on a book is asked about, and what an answer says. */
function readerOf(files: readonly File[], level: Level, feedback: string) {
  const beats = files.filter(({ path }) => path.startsWith("chapter-beats/"));
  const own = level === "chapters" ? beats : files.filter(({ path }) => path.startsWith("chapters/"));
  const foundation = beats.find(({ path }) => path.endsWith("/foundation.md"));
  const paths = own.map(({ path }) => path);
  const task = { target: level, scope: "model" as const, feedback: [feedback], follows: undefined };
  const plan = beats.filter((file) => file !== foundation);
  const book = { files: own, plan, foundation: foundation?.content ?? "", treatment: "", history: "", language: "" };
  return {
    paths,
    wanted: (answer: string) => wantedIn(answer, paths),
    filesIn(answer: string): string[] {
      const { is_whole, files, of } = planIn(readAnswer(answer, paths, true), task, paths);
      return is_whole ? of : files.map(({ path }) => path);
    },
    async question(looked?: { words: string[]; open: string[] }) {
      const prompt = await loadPrompt({ loop: "novel", folder: promptsFolder }, "read");
      const looking = { mayLook: looked === undefined, ...looked, said: [], mayAsk: true };
      const told = readingVariables(task, book, looking);
      const rendered = await renderPrompt(prompt, told);
      const request = toRequest({ prompt: rendered }, { schema: readingForm(level, told.may_look) });
      const parts = request.prompt as readonly { text: string }[];
      const [system, text] = [rendered.system ?? "", parts.map((part) => part.text).join("\n\n")];
      return { hash: rendered.hash, system, text, tokens: countTokens(`${system}\n${text}`) };
    },
  };
}
type Reader = ReturnType<typeof readerOf>;
type Question = Awaited<ReturnType<Reader["question"]>>;

/** Asks, and once more where the answer wants words looked for or files opened. */
async function askAll(url: string, reader: Reader): Promise<Turn[]> {
  const turn = async (question: Question) => ({ asked: question.hash, answer: await ask(url, question) });
  const first = await turn(await reader.question());
  const wanted = reader.wanted(first.answer);
  const turns = wanted ? [first, await turn(await reader.question(wanted))] : [first];
  reader.filesIn(turns.at(-1)!.answer);
  return turns;
}

/** Whether a question is another by now than the one that was answered. */
async function isOutdated(turns: readonly Turn[] | undefined, reader: Reader): Promise<boolean> {
  if (!turns || (await reader.question()).hash !== turns[0]!.asked) return true;
  return turns[1] !== undefined && (await reader.question(reader.wanted(turns[0]!.answer))).hash !== turns[1].asked;
}

async function ask(url: string, { system, text }: Question): Promise<string> {
  const messages = [
    { role: "system", content: system },
    { role: "user", content: text },
  ];
  const response = await fetch(`${url.replace(/\/$/, "")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: process.env.READ_MODEL ?? "desk", messages, temperature: 0.1, max_tokens: 6_144 }),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  const answer = (await response.json()) as { choices: { message: { content: string } }[] };
  return answer.choices[0]!.message.content;
}

function readFolder(folder: string): File[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  return fileList(Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")])));
}

/** Files in a level's order: the foundation first. */
function fileList(book: Readonly<Record<string, string>>): File[] {
  const keyOf = ({ path }: File) => path.replace("foundation.md", "");
  const files = Object.entries(book).map(([path, content]) => ({ path, content }));
  return files.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function lineOf({ id, expected, proposed }: Scored): string {
  const missed = expected.filter((path) => !proposed.includes(path));
  const extra = proposed.filter((path) => !expected.includes(path));
  const list = (word: string, paths: readonly string[]) => (paths.length === 0 ? "" : `  ${word}: ${paths.join(", ")}`);
  return `${id}: ${expected.length - missed.length} of ${expected.length}${list("missed", missed)}${list("beside", extra)}`;
}
