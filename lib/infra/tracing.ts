import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
} from '@opentelemetry/api';
import type { OperatorSettings } from './env';
import { version } from './version';

/**
 * Traces in OpenTelemetry's format: one trace leads from an API call over its tasks to the webhook deliveries of their
 * events, across processes and machines. Without OTEL_EXPORTER_OTLP_ENDPOINT nothing is recorded, and none of this does
 * anything.
 */

/** Spans that may wait for the collector; more are dropped. */
const maxQueued = 2_048;
const exportMs = 2_000;

export interface Tracing {
  /** Sends what is left, and waits for `exportMs` at most. */
  close(): Promise<void>;
}

/**
 * Records the spans of this process from now on, and sends them to the collector. The libraries read
 * headers, sampler and service name from the environment (`OTEL_*`).
 * @param name of this process
 * @returns null if no collector is set
 */
export async function startTracing(
  { otlpEndpoint }: Pick<OperatorSettings, 'otlpEndpoint'>,
  name: string,
): Promise<Tracing | null> {
  if (otlpEndpoint === undefined) return null;
  // The libraries take a while to load, so only with a collector.
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const resource = resourceFromAttributes({
    'service.name': 'headwater',
    'service.version': version,
    'headwater.process': name,
  });
  const exporter = new OTLPTraceExporter({ url: `${otlpEndpoint}/v1/traces`, timeoutMillis: exportMs });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resource)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor(exporter, { maxQueueSize: maxQueued, exportTimeoutMillis: exportMs }),
    ],
  });
  provider.register();
  return { close: () => provider.shutdown() };
}

export interface SpanOptions {
  /** `server`: a request of another person. `consumer`: queued work. `client`: a request to another service. */
  readonly kind: 'server' | 'consumer' | 'client';
  /** `traceparent` of what caused it; without one, and inside of another span, it belongs to that. */
  readonly parent?: string | null | undefined;
  readonly attributes?: Attributes;
}

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const;

/** Runs `work` in a span. An error that leaves it is recorded. */
export async function inSpan<T>(
  name: string,
  { kind, parent, attributes = {} }: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const options = { kind: kinds[kind], attributes };
  return trace.getTracer('headwater').startActiveSpan(name, options, contextOf(parent), async (span) => {
    try {
      return await work();
    } catch (error) {
      failSpan(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Adds attributes to the current span. */
export function describeSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** The work of the current span did not succeed, and throws nothing. */
export function failSpan(message: string): void {
  trace.getActiveSpan()?.setStatus({ code: SpanStatusCode.ERROR, message });
}

function contextOf(parent: string | null | undefined): Context {
  const active = context.active();
  if (!parent || trace.getSpan(active)) return active;
  return propagation.extract(ROOT_CONTEXT, { traceparent: parent });
}

/** What leads to the current span from elsewhere, in the format of W3C Trace Context; null without one. */
export function traceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Trace id for log lines within a span. */
export function traceIds(): { readonly traceId?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { traceId: span.traceId } : {};
}
