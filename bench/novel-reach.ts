// How well the reach of feedback is said: feedbacks whose reach was labeled beforehand, and what a model proposes for each.
//
//   npm run bench -- novel-reach                          recorded answers are read again; no model is asked
//   REACH_URL=http://127.0.0.1:8899/v1 [REACH_MODEL=desk] npm run bench -- novel-reach
//                                                         an OpenAI-compatible endpoint is asked what is new or outdated, and its
//                                                         answers recorded
//
// Fixtures and their form: test/fixtures/novel-reach/README.md. A recorded answer belongs to the prompt that it was given to;
// where the prompt is another by now, it still counts, and `outdated` says how many there are.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadPrompt, type RenderedPrompt, renderPrompt, toRequest } from "@loopwright/models";
import { NovelTask, promptsFolder } from "@loopwright/novel";
import {
  LastForm,
  plainReach,
  ReachForm,
  reachVariables,
  readFileList,
  readReach,
  type Survey,
  surveyFiles,
  wordsWanted,
} from "@loopwright/novel/reach";

const FIXTURES = join(import.meta.dirname, "../test/fixtures/novel-reach");

export const aims = { missed: 0.1 };

interface Fixture {
  /** Files by path, or a folder beside the fixture with `chapters/` and `chapter-beats/`. */
  book: Readonly<Record<string, string>> | string;
  level?: "prose" | "chapters";
  labeled_by?: string;
  feedbacks: readonly { id: string; feedback: string; reach: readonly string[] }[];
}

interface Recorded {
  asked: string;
  answer: string;
  /** The same after words were looked for, where the first answer wanted that. */
  looked?: { asked: string; answer: string };
}

export interface Scored {
  id: string;
  expected: string[];
  proposed: string[];
  found: number;
}

/** Asks or reads again, and scores. */
export async function run({ folder = FIXTURES }: { quick?: boolean; folder?: string } = {}) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json") && !name.endsWith(".answers.json"));
  const scored: Scored[] = [];
  let outdated = 0;
  let unanswered = 0;
  let looked = 0;
  for (const name of names.sort()) {
    const fixture = JSON.parse(readFileSync(join(folder, name), "utf8")) as Fixture;
    const place = join(folder, name.replace(/\.json$/, ".answers.json"));
    const answers: Record<string, Recorded> = existsSync(place) ? JSON.parse(readFileSync(place, "utf8")) : {};
    for (const each of fixture.feedbacks) {
      const { survey, task } = await surveyOf(fixture, folder, each.feedback);
      const plain = plainReach(task, survey);
      const question = async (words: readonly string[]) =>
        questionOf((await surveyOf(fixture, folder, each.feedback, words)).survey, task, words);
      const isOld = answers[each.id] === undefined || (await isOutdated(answers[each.id]!, question));
      if (!plain && process.env.REACH_URL && isOld) {
        answers[each.id] = await askAll(process.env.REACH_URL, question);
        writeFileSync(place, `${JSON.stringify(answers, null, 2)}\n`);
      }
      const kept = answers[each.id];
      if (!plain && !kept) {
        unanswered++;
        continue;
      }
      if (kept && !plain && (await isOutdated(kept, question))) outdated++;
      if (kept?.looked) looked++;
      const { files } = plain ?? readReach((kept!.looked ?? kept!).answer, survey);
      scored.push(score(each.id, each.reach, files, survey));
    }
  }
  for (const each of scored) console.error(lineOf(each));
  return { ...totals(scored), looked, outdated, unanswered };
}

/** What of a reach was found, and what was proposed beside it. */
export function score(id: string, labels: readonly string[], files: readonly string[], survey: Survey): Scored {
  const paths = survey.files.map(({ path }) => path);
  const expected = labels.includes("all") ? paths : readFileList(labels.join(", "), paths).files;
  return { id, expected, proposed: [...files], found: expected.filter((path) => files.includes(path)).length };
}

/** Over all feedbacks: of what is reached, how much was found; of what was proposed, how much is reached. */
export function totals(scored: readonly Scored[]) {
  const sum = (pick: (each: Scored) => number) => scored.reduce((total, each) => total + pick(each), 0);
  const [found, expected, proposed] = [
    sum((e) => e.found),
    sum((e) => e.expected.length),
    sum((e) => e.proposed.length),
  ];
  const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((1_000 * part) / whole) / 1_000);
  const recall = share(found, expected);
  return {
    feedbacks: scored.length,
    recall,
    precision: share(found, proposed),
    missed: recall === null ? null : Math.round(1_000 * (1 - recall)) / 1_000,
  };
}

type Ask = (words: readonly string[]) => Promise<RenderedPrompt>;

/** Asks, and once more where the answer wants words to be looked for. */
async function askAll(url: string, question: Ask): Promise<Recorded> {
  const first = await question([]);
  const answer = await ask(url, first, ReachForm);
  const words = wordsWanted(answer);
  if (words.length === 0) return { asked: first.hash, answer };
  const second = await question(words);
  return { asked: first.hash, answer, looked: { asked: second.hash, answer: await ask(url, second, LastForm) } };
}

/** Whether a question is another by now than the one that was answered. */
async function isOutdated({ asked, answer, looked }: Recorded, question: Ask): Promise<boolean> {
  if ((await question([])).hash !== asked) return true;
  return looked !== undefined && (await question(wordsWanted(answer))).hash !== looked.asked;
}

async function surveyOf(
  { book, level = "prose" }: Fixture,
  folder: string,
  feedback: string,
  words: readonly string[] = [],
) {
  const files = typeof book === "string" ? readBook(join(folder, book)) : book;
  const under = (prefix: string) =>
    Object.entries(files)
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, content]) => ({ path, content }))
      .sort((a, b) =>
        a.path.endsWith("foundation.md") ? -1 : b.path.endsWith("foundation.md") ? 1 : a.path < b.path ? -1 : 1,
      );
  const scratch = mkdtempSync(join(tmpdir(), "novel-reach-"));
  try {
    const [own, beats] =
      level === "prose" ? [under("chapters/"), under("chapter-beats/")] : [under("chapter-beats/"), []];
    const survey = await surveyFiles(scratch, { feedback: [feedback], words }, own!, beats!);
    const task = NovelTask.parse({ kind: "iterate", target: level, feedback: [feedback], iteration_id: "reach" });
    return { survey, task };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readBook(folder: string): Record<string, string> {
  const files = ["chapters", "chapter-beats"].flatMap((name) => {
    const at = join(folder, name);
    return existsSync(at)
      ? readdirSync(at)
          .filter((file) => file.endsWith(".md"))
          .map((file) => `${name}/${file}`)
      : [];
  });
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

async function questionOf(survey: Survey, task: NovelTask, looked: readonly string[]): Promise<RenderedPrompt> {
  const prompt = await loadPrompt({ loop: "novel", folder: promptsFolder }, "reach");
  return renderPrompt(prompt, reachVariables(task, survey, looked));
}

async function ask(url: string, prompt: RenderedPrompt, schema: typeof ReachForm | typeof LastForm): Promise<string> {
  const request = toRequest({ prompt }, { schema });
  const parts = request.prompt as readonly { text: string }[];
  const messages = [
    { role: "system", content: prompt.system ?? "" },
    { role: "user", content: parts.map(({ text }) => text).join("\n\n") },
  ];
  const body = { model: process.env.REACH_MODEL ?? "desk", messages, temperature: 0.1, max_tokens: 4_096 };
  const response = await fetch(`${url.replace(/\/$/, "")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  const answer = (await response.json()) as { choices: { message: { content: string } }[] };
  return answer.choices[0]!.message.content;
}

function lineOf({ id, expected, proposed, found }: Scored): string {
  const missed = expected.filter((path) => !proposed.includes(path));
  const extra = proposed.filter((path) => !expected.includes(path));
  const list = (word: string, paths: readonly string[]) => (paths.length === 0 ? "" : `  ${word}: ${paths.join(", ")}`);
  return `${id}: ${found} of ${expected.length}${list("missed", missed)}${list("beside", extra)}`;
}
