// A run's events as spans: the run, the visits of its phases, and the calls of models by the GenAI conventions. No prompt,
// answer or input is in them.
//
// The trace's id follows from the run's, so what a killed process and the one that resumed its run have sent is one trace;
// a child run's spans stand in its parent's.

import { type LoopEvent, sha256 } from "@loopwright/core";
import { type EffectStarted, modelCallOf, placeOf, type RecordedCall } from "@loopwright/models/calls";
import type { Attributes, Span, Tracer } from "@opentelemetry/api";

type OpenTelemetry = typeof import("@opentelemetry/api");

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

/** Makes spans of events as they come; `beginTrace` tells the maker of ids which trace a span without a parent begins. */
export function spanMaker(api: OpenTelemetry, tracer: Tracer, beginTrace: (id: string) => void) {
  const runs = new Map<string, OpenRun>();

  const start = (name: string, at: number, attributes: Attributes, parent?: Span, kind = api.SpanKind.INTERNAL) => {
    const context = parent ? api.trace.setSpan(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT;
    return tracer.startSpan(name, { startTime: at, attributes, kind }, context);
  };

  const fail = (span: Span, type: string, message: string) => {
    span.setAttribute("error.type", type);
    span.setStatus({ code: api.SpanStatusCode.ERROR, message });
  };

  const openRun = (event: LoopEvent): OpenRun => {
    const loop = event.type === "run-started" ? event.loop : undefined;
    const above = runs.get(event.run.slice(0, Math.max(0, event.run.lastIndexOf("."))));
    if (!above) beginTrace(traceIdOf(event.run));
    const name = "invoke_workflow";
    const attributes = { "gen_ai.operation.name": name, "gen_ai.workflow.name": loop, "loopwright.run": event.run };
    const parent = above && (lastOf(above.phases) ?? above.span);
    const span = start(loop === undefined ? name : `${name} ${loop}`, event.at, attributes, parent);
    const run: OpenRun = { span, phases: new Map(), calls: new Map(), lastAt: event.at };
    runs.set(event.run, run);
    return run;
  };

  const addCall = (open: OpenRun, call: RecordedCall, { run, at }: { run: string; at: number }) => {
    const model = call.details.asked;
    const attributes = { "loopwright.run": run, ...callAttributes(call) };
    const parent = open.phases.get(call.visit) ?? open.span;
    const name = model === undefined ? "chat" : `chat ${model}`;
    const span = start(name, call.startedAt, attributes, parent, api.SpanKind.CLIENT);
    if (call.error) fail(span, call.error.code, call.error.message);
    span.end(at);
  };

  return {
    take(event: LoopEvent): void {
      const run = runs.get(event.run) ?? openRun(event);
      const { at } = event;
      run.lastAt = Math.max(run.lastAt, at);
      switch (event.type) {
        case "run-resumed":
          run.span.setAttribute("loopwright.resumed", true);
          break;
        case "phase-started": {
          const { run: id, phase, visit, iteration } = event;
          // A visit that waited for a person is entered again.
          run.phases.get(visit)?.end(at);
          const attributes = attributesOf({ run: id, phase, visit, iteration });
          run.phases.set(visit, start(`phase ${phase}`, at, attributes, run.span));
          break;
        }
        case "verdict-recorded": {
          const { verdict, score } = event.verdict;
          lastOf(run.phases)?.setAttributes(attributesOf({ verdict, score }));
          break;
        }
        case "phase-finished":
        case "visit-failed": {
          const span = run.phases.get(event.visit);
          if (event.type === "visit-failed" && span) fail(span, event.error.code, event.error.message);
          span?.end(at);
          run.phases.delete(event.visit);
          break;
        }
        case "effect-started":
          if (modelCallOf(event)) run.calls.set(placeOf(event), event);
          break;
        case "effect-finished":
        case "effect-failed": {
          // A call's span is made when it has ended: only then is it known which model was asked.
          const started = run.calls.get(placeOf(event));
          run.calls.delete(placeOf(event));
          const call = started && modelCallOf(started, event);
          if (call) addCall(run, call, event);
          break;
        }
        case "run-ended": {
          const { outcome, reason, iterations, score } = event;
          for (const span of run.phases.values()) span.end(at);
          run.span.setAttributes(attributesOf({ outcome, reason, iterations, score: score ?? undefined }));
          if (outcome === "failed") fail(run.span, "failed", reason);
          run.span.end(at);
          runs.delete(event.run);
          break;
        }
      }
    },

    /** Ends what is still open, as of the last event that was seen of it: the process is about to go. */
    close(): void {
      for (const { phases, span, lastAt } of runs.values())
        for (const open of [...phases.values(), span]) open.end(lastAt);
      runs.clear();
    },
  };
}

function callAttributes({ key, role, request, answer, details, usage }: RecordedCall): Attributes {
  const { endpoint, asked, inputTokens, outputTokens, firstMs, tries, costKnown } = details;
  return {
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
}

/** What is known, under Loopwright's own name. */
function attributesOf(fields: Attributes): Attributes {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`loopwright.${name}`, value]));
}

function lastOf(spans: ReadonlyMap<number, Span>): Span | undefined {
  return [...spans.values()].at(-1);
}
