// OpenTelemetry: a run's spans go to a collector over OTLP (HTTP and JSON) when the environment names one, as any program
// that speaks OpenTelemetry does. Nothing of it is loaded otherwise, and its packages are optional: who wants spans installs them.
//
// A collector that is dead, slow or refuses never slows or ends a run: it is told of once, and its spans are dropped.

import { randomBytes } from "node:crypto";
import type { EventListener } from "@loopwright/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { installCommand, isNotInstalled } from "./packages.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Telemetry {
  on: EventListener;
  /** Sends what is left; gives up after two seconds. */
  close(): Promise<void>;
}

/** Milliseconds for one export, and for the last one. */
const TIMEOUT = 2_000;
const FLUSH_EVERY = 1_000;
/** Milliseconds that a collector which has failed is left alone. */
const REST = 10_000;

/** Spans to the collector that the environment names; undefined where it names none. */
export async function openTelemetry(
  env: Environment,
  warn: (message: string) => void = (message) => process.stderr.write(`loopwright: ${message}\n`),
): Promise<Telemetry | undefined> {
  try {
    const url = collectorOf(env);
    return url === undefined ? undefined : await open(url, env, warn);
  } catch (error) {
    const reason = isNotInstalled(error)
      ? `OpenTelemetry is not installed; to have them, type \`${installCommand()}\` where loopwright is installed`
      : (error as Error).message;
    warn(`no spans are sent: ${reason}`);
    return undefined;
  }
}

/** Where traces go; undefined where OpenTelemetry is not wanted. */
function collectorOf(env: Environment): string | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none") return undefined;
  if (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined;
  const base = addressOf(env.OTEL_EXPORTER_OTLP_ENDPOINT);
  base.pathname = `${base.pathname.replace(/\/+$/, "")}/v1/traces`;
  return base.href;
}

async function open(url: string, env: Environment, warn: (message: string) => void): Promise<Telemetry> {
  const { host, origin, pathname } = addressOf(url);
  const [
    api,
    { BatchSpanProcessor, TracerProvider },
    { resourceFromAttributes },
    { OTLPTraceExporter },
    { SpanMaker },
  ] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("./spans.ts"),
  ]);
  const headers = pairsOf(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS);
  const timeout = Number(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT) || TIMEOUT;
  let hasTold = false;
  const tell = (why: string) => {
    if (!hasTold) warn(`the collector at ${origin}${pathname} takes no spans (${why}); the run goes on without`);
    hasTold = true;
  };
  const exporter = patient(new OTLPTraceExporter({ url, headers, timeoutMillis: timeout }), (error) =>
    tell(wordsOf(error, host)),
  );
  let traceId = "";
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "loopwright",
      ...pairsOf(env.OTEL_RESOURCE_ATTRIBUTES),
      ...(env.OTEL_SERVICE_NAME && { "service.name": env.OTEL_SERVICE_NAME }),
    }),
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => randomBytes(8).toString("hex") },
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: FLUSH_EVERY, exportTimeoutMillis: timeout }),
    ],
  });
  const maker = new SpanMaker(api, provider.getTracer("loopwright"), (id) => {
    traceId = id;
  });
  return {
    on: (event) => {
      try {
        maker.take(event);
      } catch {
        // A span is never worth a run.
      }
    },
    close: async () => {
      maker.close();
      if (!(await isDoneWithin(TIMEOUT, provider.shutdown()))) tell(`no answer in ${TIMEOUT / 1000} seconds`);
    },
  };
}

function addressOf(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new Error("the OTLP endpoint in the environment is no http address");
}

/** An exporter that never fails: a failure is told, and after one the collector is left alone for a while. */
function patient(inner: SpanExporter, tell: (error: unknown) => void): SpanExporter {
  let restsUntil = 0;
  return {
    export: (spans, done) => {
      if (performance.now() < restsUntil) return done({ code: 0 });
      inner.export(spans, (result) => {
        restsUntil = result.code === 0 ? 0 : performance.now() + REST;
        if (result.code !== 0) tell(result.error);
        done({ code: 0 });
      });
    },
    shutdown: () => inner.shutdown(),
    forceFlush: () => inner.forceFlush?.() ?? Promise.resolve(),
  };
}

/** What went wrong, without the body of an answer: it may echo what was sent. */
function wordsOf(error: unknown, host: string): string {
  if (!(error instanceof Error)) return "no reason given";
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "number") return `HTTP ${code}`;
  if (typeof code === "string") return `${code} ${host}`;
  return error.message.split("\n", 1)[0]!.slice(0, 100);
}

/** `name=value,name=value`, percent-encoded, as the OTEL_ variables have them. */
function pairsOf(list = ""): Record<string, string> {
  const pairs = list.split(",").flatMap((entry) => {
    const at = entry.indexOf("=");
    return at > 0 ? [[entry.slice(0, at).trim(), decode(entry.slice(at + 1).trim())] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Waits for something, but not for long, and not for its failure; false where it took longer. */
async function isDoneWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isDone = await Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    limit,
  ]);
  clearTimeout(timer);
  return isDone;
}
