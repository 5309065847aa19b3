// A run with `--json`: one event per line, and its end or its gate as the last, in a shape that is documented and versioned
// (docs/json.md). It is narrower than the journal's: what is large or the engine's own stays behind.

import { join } from "node:path";
import type { LoopEvent, RunResult } from "@loopwright/core";
import { JSON_VERSION, type Terminal } from "@loopwright/terminal";

type Fields = Readonly<Record<string, unknown>>;

const used = "tokens=usage.tokens usd=usage.usd";
const asked =
  "gate=gate.id name=gate.name question=gate.question choices=gate.choices default=gate.default expires=gate.expiresAt";

/** What each event's line has beside its type, its run and its time: a field of the event, or a name and the path to it. */
const fieldsOf: Record<LoopEvent["type"], string> = {
  "run-started": "loop version seed ceilings config folder parent=parent.run after=after.run phase=enter.phase",
  "run-resumed": "phase=enter.phase iteration=enter.iteration given",
  "run-migrated": "version",
  "run-forked": "from iteration seed folder",
  "phase-started": "phase visit iteration",
  "phase-finished": "phase visit next=enter.phase outcome=ending.outcome",
  "visit-failed": "phase visit error effect",
  "effect-started": "visit key tries",
  "effect-charged": `visit key ${used}`,
  "effect-finished": `visit key ${used}`,
  "effect-failed": `visit key error ${used}`,
  "artifact-saved": "path=artifact.path digest=artifact.digest size=artifact.size",
  "verdict-recorded":
    "iteration verdict=verdict.verdict score=verdict.score findings=verdict.findings reason=verdict.reason",
  "workcell-restarted": "kind reason",
  "gate-opened": asked,
  "gate-answered": "gate=id name choice=answer.choice note=answer.note by=answer.by",
  "answer-refused": "gate=id choice reason",
  "child-waiting": `child ${asked}`,
  "ceilings-changed": "ceilings",
  "ceiling-reached": "ceiling limit used",
  "loop-noted": "name data",
  progress: "key data",
  "run-ended": "outcome reason iterations score by=by.run",
};

/** The fields of an event's line, each with the path that it has in the event. */
export function lineFields(type: LoopEvent["type"]): { name: string; path: string[] }[] {
  return fieldsOf[type].split(" ").map((field) => {
    const [name, path = name] = field.split("=") as [string, string?];
    return { name, path: path.split(".") };
  });
}

/** A line of `--json`. */
export function eventToLine(event: Pick<LoopEvent, "type" | "run" | "at">, root: string): Fields {
  const line: Record<string, unknown> = { v: JSON_VERSION, type: event.type, run: event.run, at: isoTime(event.at) };
  for (const { name, path } of lineFields(event.type)) {
    const value = path.reduce<unknown>((at, key) => (at as Fields | undefined)?.[key], event);
    if (name === "next") line[name] = value ?? null;
    else if (value !== undefined) line[name] = name === "folder" ? join(root, value as string) : value;
  }
  if (line.expires !== undefined) line.expires = isoTime(line.expires as number);
  return line;
}

/** The last line of a command that drives a run: how it ended, or the gate that it waits at. */
export function resultToLine({ gate, ...result }: RunResult, root: string, at: number): Fields {
  const folder = join(root, result.folder);
  const last =
    result.outcome === "waiting" && gate
      ? { type: "gate-opened" as const, run: gate.run, at, gate }
      : { ...result, type: "run-ended" as const, at };
  return { ...eventToLine(last, root), folder };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** Prints the events of a run that a command drives, which is the first that is heard of. */
export function jsonLines(terminal: Terminal, root: string) {
  const print = (line: Fields) => terminal.print(JSON.stringify(line));
  let run: string | undefined;
  return {
    take(event: LoopEvent): void {
      run ??= event.run;
      if (event.type === "run-ended" && event.run === run) {
        // Its end is told once, by `finish`, with all that the last line must carry; unless another run takes over.
        if (!event.by) return;
        run = event.by.run;
      }
      print(eventToLine(event, root));
    },
    finish: (result: RunResult) => print(resultToLine(result, root, Date.now())),
  };
}
