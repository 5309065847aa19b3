// A run's events as spans: the run, the visits of its phases, and the calls of models by the GenAI conventions. No prompt,
// answer or input is in them.
//
// The trace's id follows from the run's, so what a killed process and the one that resumed its run have sent is one trace;
// a child run's spans stand in its parent's.

import { type LoopEvent, sha256 } from "@loopwright/core";
import {
  type EffectEnded,
  type EffectStarted,
  modelCallOf,
  placeOf,
  type RecordedCall,
} from "@loopwright/models/calls";
import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";

type OpenTelemetry = typeof import("@opentelemetry/api");
type EventOf<Type extends LoopEvent["type"]> = Extract<LoopEvent, { type: Type }>;

/** What is open of a run. */
interface OpenRun {
  span: Span;
  /** By visit. */
  phases: Map<number, Span>;
  calls: Map<string, EffectStarted>;
  lastAt: number;
}

/** The trace that the spans of a run belong to: that of the run at the top. */
export function traceIdOf(run: string): string {
  return sha256(run.split(".", 1)[0]!).slice(0, 32);
}

const LONGEST_TEXT = 500;

/** Makes spans of events as they come. */
export class SpanMaker {
  readonly #api: OpenTelemetry;
  readonly #tracer: Tracer;
  /** Tells the maker of ids which trace a span without a parent begins. */
  readonly #beginTrace: (id: string) => void;
  readonly #runs = new Map<string, OpenRun>();

  constructor(api: OpenTelemetry, tracer: Tracer, beginTrace: (id: string) => void) {
    this.#api = api;
    this.#tracer = tracer;
    this.#beginTrace = beginTrace;
  }

  take(event: LoopEvent): void {
    const run = this.#runs.get(event.run) ?? this.#openRun(event);
    run.lastAt = Math.max(run.lastAt, event.at);
    switch (event.type) {
      case "run-resumed":
        run.span.setAttribute("loopwright.resumed", true);
        break;
      case "phase-started":
        this.#startPhase(run, event);
        break;
      case "verdict-recorded":
        lastOf(run.phases)?.setAttributes({
          "loopwright.verdict": event.verdict.verdict,
          "loopwright.score": event.verdict.score,
        });
        break;
      case "phase-finished":
      case "visit-failed":
        this.#endPhase(run, event);
        break;
      case "effect-started":
        if (modelCallOf(event)) run.calls.set(placeOf(event), event);
        break;
      case "effect-finished":
      case "effect-failed":
        this.#endCall(run, event);
        break;
      case "run-ended":
        this.#endRun(event, run);
        break;
    }
  }

  /** Ends what is still open, as of the last event that was seen of it: the process is about to go. */
  close(): void {
    for (const run of this.#runs.values()) {
      for (const span of [...run.phases.values(), run.span]) span.end(run.lastAt);
    }
    this.#runs.clear();
  }

  #openRun(event: LoopEvent): OpenRun {
    const loop = event.type === "run-started" ? event.loop : undefined;
    const above = this.#runs.get(event.run.slice(0, Math.max(0, event.run.lastIndexOf("."))));
    if (!above) this.#beginTrace(traceIdOf(event.run));
    const span = this.#start(
      loop === undefined ? "invoke_workflow" : `invoke_workflow ${loop}`,
      event.at,
      {
        "gen_ai.operation.name": "invoke_workflow",
        "loopwright.run": event.run,
        ...(loop !== undefined && { "gen_ai.workflow.name": loop }),
      },
      above && (lastOf(above.phases) ?? above.span),
    );
    const run: OpenRun = { span, phases: new Map(), calls: new Map(), lastAt: event.at };
    this.#runs.set(event.run, run);
    return run;
  }

  #endRun({ run: id, at, outcome, reason, iterations, score }: EventOf<"run-ended">, run: OpenRun): void {
    for (const span of run.phases.values()) span.end(at);
    run.span.setAttributes({
      "loopwright.outcome": outcome,
      "loopwright.reason": cut(reason),
      "loopwright.iterations": iterations,
      ...(score !== null && { "loopwright.score": score }),
    });
    if (outcome === "failed") this.#fail(run.span, "failed", reason);
    run.span.end(at);
    this.#runs.delete(id);
  }

  #startPhase(run: OpenRun, { run: id, at, phase, visit, iteration }: EventOf<"phase-started">): void {
    // A visit that waited for a person is entered again.
    run.phases.get(visit)?.end(at);
    const attributes = {
      "loopwright.run": id,
      "loopwright.phase": phase,
      "loopwright.visit": visit,
      "loopwright.iteration": iteration,
    };
    run.phases.set(visit, this.#start(`phase ${phase}`, at, attributes, run.span));
  }

  #endPhase(run: OpenRun, event: EventOf<"phase-finished" | "visit-failed">): void {
    const span = run.phases.get(event.visit);
    if (event.type === "visit-failed" && span) this.#fail(span, event.error.code, event.error.message);
    span?.end(event.at);
    run.phases.delete(event.visit);
  }

  /** A call's span is made when it has ended: only then is it known which model was asked. */
  #endCall(run: OpenRun, ended: EffectEnded & { run: string }): void {
    const started = run.calls.get(placeOf(ended));
    run.calls.delete(placeOf(ended));
    const call = started && modelCallOf(started, ended);
    if (!call) return;
    const model = call.details.asked;
    const span = this.#start(
      model === undefined ? "chat" : `chat ${model}`,
      call.startedAt,
      { "loopwright.run": ended.run, ...attributesOf(call) },
      run.phases.get(call.visit) ?? run.span,
      this.#api.SpanKind.CLIENT,
    );
    if (call.error) this.#fail(span, call.error.code, call.error.message);
    span.end(ended.at);
  }

  #start(name: string, at: number, attributes: Attributes, parent?: Span, kind = this.#api.SpanKind.INTERNAL): Span {
    const root: Context = this.#api.ROOT_CONTEXT;
    const context = parent ? this.#api.trace.setSpan(root, parent) : root;
    return this.#tracer.startSpan(name, { startTime: at, attributes, kind }, context);
  }

  #fail(span: Span, type: string, message: string): void {
    span.setAttribute("error.type", type);
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: cut(message) });
  }
}

function attributesOf({ key, role, request, answer, details, usage }: RecordedCall): Attributes {
  const { endpoint, asked, inputTokens, outputTokens, firstMs, tries, costKnown } = details;
  const known: Record<string, Attributes[string] | undefined> = {
    "gen_ai.operation.name": "chat",
    // The name of a `command:` endpoint is a whole command line.
    "gen_ai.provider.name": endpoint?.split(":", 1)[0],
    "gen_ai.request.model": asked,
    "gen_ai.request.temperature": request.temperature,
    "gen_ai.request.top_p": request.topP,
    "gen_ai.request.max_tokens": request.maxTokens,
    "gen_ai.output.type": request.schema === undefined ? undefined : "json",
    "gen_ai.response.model": answer?.model,
    "gen_ai.response.finish_reasons": answer && [answer.finishReason],
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    "loopwright.role": role,
    "loopwright.key": key,
    "loopwright.usd": costKnown === false ? undefined : usage?.usd,
    "loopwright.failed_tries": tries?.length,
    "loopwright.first_ms": firstMs,
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as Attributes;
}

function lastOf(spans: ReadonlyMap<number, Span>): Span | undefined {
  return [...spans.values()].at(-1);
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
