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
 * Traces in OpenTelemetry format. A trace connects an API call with its tasks and the webhook deliveries of their events,
 * across processes and machines. Without OTEL_EXPORTER_OTLP_ENDPOINT nothing is recorded, and these functions do nothing.
 */

/** Maximum spans that wait for the collector; further spans are dropped. */
const MAX_QUEUED_SPANS = 2_048;
const EXPORT_TIMEOUT_MS = 2_000;

export interface Tracing {
  /** Sends the remaining spans. Each export takes `EXPORT_TIMEOUT_MS` at most. */
  close(): Promise<void>;
}

/**
 * Starts recording the spans of this process for the collector. The libraries read headers, sampler and service name from
 * the environment (`OTEL_*`).
 * @param name name of this process
 * @returns null if no collector is set
 */
export async function startTracing(
  { otelExporterOtlpEndpoint: endpoint }: Pick<OperatorSettings, 'otelExporterOtlpEndpoint'>,
  name: string,
): Promise<Tracing | null> {
  if (endpoint === undefined) return null;
  // The libraries load slowly, so they are loaded only with a collector.
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
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resource)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: MAX_QUEUED_SPANS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  provider.register();
  return { close: () => provider.shutdown() };
}

export interface SpanOptions {
  /** `server`: a request of a client. `consumer`: queued work. `client`: a request to another service. */
  readonly kind: 'server' | 'consumer' | 'client';
  /** `traceparent` of the cause. Inside another span, that span is the parent instead. */
  readonly parent?: string | null | undefined;
  readonly attributes?: Attributes;
}

const spanKinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const;

/** Runs `work` in a span, and records an error that it throws. */
export async function runInSpan<T>(
  name: string,
  { kind, parent, attributes = {} }: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const options = { kind: spanKinds[kind], attributes };
  return trace.getTracer('headwater').startActiveSpan(name, options, parentContext(parent), async (span) => {
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

/** Marks the current span as failed, for work that throws no error. */
export function failSpan(message: string): void {
  trace.getActiveSpan()?.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** The context of the parent of a new span: the current span, otherwise that of `traceparent`. */
function parentContext(parent: string | null | undefined): Context {
  const activeContext = context.active();
  if (!parent || trace.getSpan(activeContext)) return activeContext;
  return propagation.extract(ROOT_CONTEXT, { traceparent: parent });
}

/** The current span in the format of W3C Trace Context, for another process; null without a span. */
export function currentTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Trace id for log lines; empty outside a span. */
export function traceIds(): { readonly traceId?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { traceId: span.traceId } : {};
}
