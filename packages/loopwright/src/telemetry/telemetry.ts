// OpenTelemetry: a run's spans go to a collector over OTLP (HTTP and JSON) when the environment names one, as any program
// that speaks OpenTelemetry does. Nothing of it is loaded otherwise, and its packages are optional: who wants spans installs them.
//
// A collector that is dead, slow or refuses never slows or ends a run: it is told of once, and its spans are dropped.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { EventListener } from "@loopwright/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";

export interface Telemetry {
  on: EventListener;
  /** Sends what is left; gives up after two seconds. */
  close(): Promise<void>;
}

/** Milliseconds for one export, and for the last one. */
const TIMEOUT = 2_000;
const FLUSH_EVERY = 1_000;

/** Spans to the collector that the environment names; undefined where it names none. */
export async function openTelemetry(
  warn = (message: string): unknown => process.stderr.write(`loopwright: ${message}\n`),
): Promise<Telemetry | undefined> {
  try {
    const url = collectorUrl();
    return url && (await open(url, warn));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" && message.includes("'@opentelemetry/");
    const reason = isMissing
      ? `OpenTelemetry is not installed; to have them, type \`${installCommand()}\` where loopwright is installed`
      : message;
    warn(`no spans are sent: ${reason}`);
    return undefined;
  }
}

/** Where traces go; undefined where OpenTelemetry is not wanted. Headers, the service's name and the rest of what the environment
 * says are read by the packages themselves. */
function collectorUrl(): URL | undefined {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = process.env;
  const named = own || process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!named || OTEL_SDK_DISABLED?.toLowerCase() === "true" || OTEL_TRACES_EXPORTER === "none") return undefined;
  const url = URL.parse(named);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error("the OTLP endpoint in the environment is no http address");
  if (!own) url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url;
}

async function open(url: URL, warn: (message: string) => unknown): Promise<Telemetry> {
  const [api, { BatchSpanProcessor, TracerProvider }, resources, { OTLPTraceExporter }, { spanMaker }] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("./spans.ts"),
    ]);
  let hasTold = false;
  const tell = (why: string) => {
    if (!hasTold)
      warn(`the collector at ${url.origin}${url.pathname} takes no spans (${why}); the run goes on without`);
    hasTold = true;
  };
  const exporter = telling(new OTLPTraceExporter({ url: url.href, timeoutMillis: TIMEOUT }), (error) =>
    tell(wordsOf(error, url.host)),
  );
  const { resourceFromAttributes, resourceAttributesEnvDetector, serviceNameEnvDetector } = resources;
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
  let traceId = "";
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "loopwright" }).merge(resources.detectResources({ detectors })),
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => randomBytes(8).toString("hex") },
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: FLUSH_EVERY, exportTimeoutMillis: TIMEOUT }),
    ],
  });
  const maker = spanMaker(api, provider.getTracer("loopwright"), (id) => {
    traceId = id;
  });
  return {
    on: (event) => maker.take(event),
    close: async () => {
      maker.close();
      const ended = provider.shutdown().catch(() => {});
      const isLate = await Promise.race([ended.then(() => false), setTimeout(TIMEOUT, true, { ref: false })]);
      if (isLate) tell(`no answer in ${TIMEOUT / 1000} seconds`);
    },
  };
}

/** An exporter that never fails: a failure is told. */
function telling(inner: SpanExporter, tell: (error: unknown) => void): SpanExporter {
  return {
    export: (spans, done) =>
      inner.export(spans, (result) => {
        if (result.code !== 0) tell(result.error);
        done({ code: 0 });
      }),
    shutdown: () => inner.shutdown(),
  };
}

/** What went wrong, without the body of an answer: it may echo what was sent. */
function wordsOf(error: unknown, host: string): string {
  const { code = "no answer from" } = (error ?? {}) as { code?: number | string };
  return typeof code === "number" ? `HTTP ${code}` : `${code} ${host}`;
}

/** What to type to have them: they are optional peers, named with their versions in package.json and nowhere else. */
function installCommand(): string {
  const file = new URL("../../package.json", import.meta.url);
  const { peerDependencies } = JSON.parse(readFileSync(file, "utf8")) as { peerDependencies: Record<string, string> };
  const named = Object.entries(peerDependencies).filter(([name]) => name.startsWith("@opentelemetry/"));
  // Some shells take the caret of a range for their own.
  return `npm install ${named.map(([name, range]) => `${name}@${range.replace("^", "")}`).join(" ")}`;
}
