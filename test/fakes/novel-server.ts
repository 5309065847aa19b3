// An endpoint that answers the novel loop by kind of prompt: the nth time a kind is asked, its nth reply; the last one again
// when there are no more. What no test scripts is answered soundly.

import { readFileSync } from "node:fs";
import { type FaultServer, type Reply, type SeenRequest, startFaultServer } from "./fault-server.ts";
import { beat, beats, chapterText, foundation, premise, summary, treatment } from "./novel-texts.ts";

const PROMPTS = new URL("../../packages/novel/prompts/", import.meta.url);

export const promptKinds = [
  "read",
  "reply",
  "generate-premise",
  "generate-treatment",
  "generate-chapters",
  "generate-prose",
  "revise-prose",
  "revise",
  "judge",
  "semantic-diff",
  "derive-chapter",
  "derive",
  "split",
  "talk",
  "variant",
] as const;
export type PromptKind = (typeof promptKinds)[number];

/** A reply, or its text; or what makes one of the request. */
export type NovelReply = string | Reply | ((request: SeenRequest) => string | Reply);

export interface NovelServer extends FaultServer {
  /** Sets the replies to a kind of prompt, from now on. */
  script(kind: PromptKind, ...replies: NovelReply[]): void;
  /** The requests of a kind so far. */
  asked(kind: PromptKind): SeenRequest[];
  /** What a project needs in its loopwright.yaml. */
  configuration(): string;
}

/** Starts an endpoint; everything about it is as a fault server has it. */
export async function startNovelServer(): Promise<NovelServer> {
  const server = await startFaultServer();
  const scripts = new Map<PromptKind, NovelReply[]>();
  const seen: { kind: PromptKind; request: SeenRequest }[] = [];
  server.otherwise = (request) => {
    const kind = kindOf(request);
    seen.push({ kind, request });
    const replies = scripts.get(kind) ?? [];
    const next = replies.length > 1 ? replies.shift()! : (replies[0] ?? sound[kind]);
    const reply = typeof next === "function" ? next(request) : next;
    return typeof reply === "string" ? { text: reply, piece: 200 } : { piece: 200, ...reply };
  };
  return Object.assign(server, {
    script: (kind: PromptKind, ...replies: NovelReply[]) => void scripts.set(kind, replies),
    asked: (kind: PromptKind) => seen.filter((each) => each.kind === kind).map(({ request }) => request),
    configuration: () =>
      `endpoints:\n  fake: { url: ${server.url} }\nmodels:\n  default: { endpoint: fake, model: fake, context: 200000 }\nretry: { waits: [0], timeout: 20 }\n`,
  });
}

/** Which prompt a request was made from, by the first words of its system text. */
function kindOf({ body }: SeenRequest): PromptKind {
  const system = body.messages.find(({ role }) => role === "system")?.content;
  const found = promptKinds.find((kind) => typeof system === "string" && system.startsWith(openings[kind]));
  if (!found) throw new Error(`no prompt of the novel loop begins so: ${JSON.stringify(system).slice(0, 200)}`);
  return found;
}

const openings = Object.fromEntries(
  promptKinds.map((kind) => {
    const text = readFileSync(new URL(`${kind}.md`, PROMPTS), "utf8");
    return [kind, /<!-- system -->\n([^{]{20,90})/.exec(text)![1]!];
  }),
) as Record<PromptKind, string>;

/** What a judge says. */
export function verdict(word: "approved" | "needs_revision", reasoning: string, more: object = {}): string {
  return JSON.stringify({ verdict: word, reasoning, specific_issues: [], suggestions: [], ...more });
}

const sound: Readonly<Record<PromptKind, NovelReply>> = {
  read: JSON.stringify({ all: true }),
  reply: JSON.stringify({ choice: "unclear", back: "What do you mean?" }),
  "generate-premise": premise(),
  "generate-treatment": treatment(),
  "generate-chapters": beats(15),
  "generate-prose": (request) => chapterText(chapterIn(request)),
  "revise-prose": (request) => chapterText(chapterIn(request), "It rained."),
  revise: beats(15, { 3: "It is dark." }),
  judge: verdict("approved", "The feedback is met."),
  "semantic-diff": JSON.stringify(summary("Chapter 3 is darker.")),
  "derive-chapter": (request) => beat(chapterIn(request)),
  derive: foundation(),
  split: JSON.stringify({ begins: [] }),
  talk: "The keeper lights the lamp in chapter 1.",
  variant: ({ body }) => chapterText(1, `Version ${/yours is number (\d)/.exec(JSON.stringify(body))?.[1]}.`),
};

/** The number of the chapter that a request is about. */
export function chapterIn({ body }: SeenRequest): number {
  const text = body.messages.map(({ content }) => (typeof content === "string" ? content : "")).join("\n");
  return Number(/[Cc]hapter (\d+) of \d+/.exec(text)?.[1] ?? 1);
}
