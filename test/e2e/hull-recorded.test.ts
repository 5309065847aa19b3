// A trawler from an empty scene: what an agent answered by hand, as builder and as evaluator, given again by a real server, and
// carried out in the real Blender. A cassette would hold every render and so one version of Blender; answers in their order
// do not, and what was asked is looked at here.
//
// `answers/` holds them as `01-builder.md`, …, `03-evaluator.md`, …, each the whole text of one answer. The first (prose, E2) and the
// fourth (a name of a later Blender, E1) were put in on purpose; the agent fixed both.

import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasBlender } from "../fakes/blender.ts";
import { Folder, lastLine } from "../fakes/cli.ts";
import { type SeenRequest, startFaultServer } from "../fakes/fault-server.ts";

const recorded = join(import.meta.dirname, "../fixtures/hull/recorded");
const folder = join(recorded, "answers");
const answers = readdirSync(folder).toSorted();

/** Who is asked, by what the system prompt says. */
function roleOf({ body }: SeenRequest): string {
  return JSON.stringify(body.messages[0]).includes("evaluator") ? "evaluator" : "builder";
}

function imagesOf({ body }: SeenRequest): number {
  return body.messages.flatMap(({ content }) => (typeof content === "string" ? [] : content)).filter(isImage).length;
}

const isImage = (part: { type: string }) => part.type !== "text";

it.skipIf(!hasBlender)(
  "a trawler is built by an agent that answers by hand: by way of an E1 and an E2, until it passes",
  { timeout: 300_000 },
  async () => {
    using at = new Folder();
    cpSync(recorded, at.dir, { recursive: true });
    await using server = await startFaultServer();
    server.next(
      ...answers.map((file) => (request: SeenRequest) => {
        if (!file.includes(roleOf(request)))
          return { status: 400, body: `${file} was due, and the ${roleOf(request)} is asked` };
        return { text: readFileSync(join(folder, file), "utf8"), piece: 4096 };
      }),
    );
    server.otherwise = { status: 400, body: "there is no answer left" };
    const ended = await at.cli(["hull", "--url", server.url, "--model", "desk", "--json"]);
    const end = lastLine(ended);
    expect(end, ended.stderr).toMatchObject({ type: "run-ended", outcome: "done" });
    expect(server.requests).toHaveLength(answers.length);

    const [run] = at.runs();
    const iterations = readdirSync(join(at.dir, "runs", run!, "attempt-000/iterations"))
      .filter((name) => name !== "iter-000")
      .toSorted();
    expect(iterations.length).toBeGreaterThanOrEqual(4);
    const read = (iteration: string, file: string) =>
      JSON.parse(at.read(join("runs", run!, "attempt-000/iterations", iteration, file)));
    const scores = iterations.map((name) => read(name, "feedback.json").overall_score as number);
    expect(scores.at(-1)).toBe(Math.max(...scores));
    expect(scores.at(-1)).toBeGreaterThan(scores[0]! + 0.03);
    const errors = iterations.flatMap((name) => read(name, "execution.json").errors as string[]).join("\n");
    expect(errors).toMatch(/E1/);
    expect(errors).toMatch(/E2/);

    // What was judged is what the next prompt holds, and everybody is shown references, renders and what differs.
    for (const request of server.requests) expect(imagesOf(request)).toBe(8);
    const builders = server.requests.filter((request) => roleOf(request) === "builder");
    const prompts = builders.map(({ prompt }) => prompt);
    for (const name of iterations.slice(0, -1)) {
      const { detected_issues, suggested_fixes } = read(name, "feedback.json");
      const next = prompts.find((prompt) => prompt.includes(`iteration ${Number(name.slice(5))}: score`));
      for (const said of [...detected_issues, ...suggested_fixes]) expect(next, name).toContain(said);
    }
  },
);
