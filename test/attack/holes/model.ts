// A model that answers from a list: a plan, reviews that change nothing, and one program after another. What it was asked for
// each of them is kept.

import { type FaultServer, type Reply, startFaultServer } from "../../fakes/fault-server.ts";

export const file = (path: string, text: string) => `===FILE: ${path}===\n${text}===END FILE===\n`;
export const command = (text: string) => `===CMD===\n${text}\n===END CMD===\n`;

export interface Script {
  /** The file that the plan is about, and further ones. */
  program: string;
  more?: readonly string[];
  /** Tests that the planner writes; none where they are given. */
  tests?: { path: string; text: string };
  /** What the implementer answers, in turn; the last one again and again. */
  answers: readonly (string | Reply)[];
}

export interface Scripted extends FaultServer {
  /** What the implementer was shown, in each iteration. */
  shown: string[];
}

/** Starts a server that answers as the script says. */
export async function scriptedModel({ program, more = [], tests, answers }: Script): Promise<Scripted> {
  const functions = [{ name: "f", signature: "f()", pseudocode: "f" }];
  const plan = [program, ...more].map((path) => ({ file: path, action: "create", functions }));
  const written = tests && { filename: tests.path, content: tests.text };
  const server: Scripted = Object.assign(await startFaultServer(), { shown: [] });
  server.otherwise = ({ body }) => {
    const system = String(body.messages.find(({ role }) => role === "system")?.content);
    if (system.includes("You plan")) return { text: JSON.stringify({ target_tests: [], tests: written, plan }) };
    if (system.includes("You audit")) return { text: JSON.stringify({ tests_correct: true, issues: [] }) };
    if (system.includes("You review")) return { text: JSON.stringify({ diagnosis: "see what fails", plan }) };
    // What breaks before it is tested is asked for again within its iteration: the model does not listen.
    if (!system.includes("You fix")) server.shown.push(body.messages.map(({ content }) => String(content)).join("\n"));
    const answer = answers[Math.min(server.shown.length, answers.length) - 1]!;
    return typeof answer === "string" ? { text: `APPROACH: ${server.shown.length}\n${answer}` } : answer;
  };
  return server;
}

/** What is typed behind `code` to ask it. */
export const asking = (server: FaultServer) => ["--url", server.url, "--model", "desk", "--seed", "1", "--json"];
