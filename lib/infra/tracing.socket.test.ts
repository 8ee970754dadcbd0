import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trace, context, propagation } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { failSpan, runInSpan, startTracing, traceIds, currentTraceparent } from './tracing';

const attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.number().optional() }),
});
const spanSchema = z.object({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  kind: z.number(),
  attributes: z.array(attribute),
  status: z.object({ code: z.number(), message: z.string().optional() }),
});
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  trace.disable();
  context.disable();
  propagation.disable();
});

/** Starts a collector that records the spans. */
async function startCollector() {
  const bodies: z.output<typeof exportSchema>[] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      paths.push(request.url ?? '');
      bodies.push(exportSchema.parse(JSON.parse(Buffer.concat(chunks).toString())));
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => void server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const spans = () =>
    bodies
      .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
      .flatMap((scopeSpan) => scopeSpan.spans);
  return { otelExporterOtlpEndpoint: `http://127.0.0.1:${port}`, bodies, paths, spans };
}

test('without a collector nothing is recorded, and work runs unchanged', async () => {
  expect(await startTracing({ otelExporterOtlpEndpoint: undefined }, 'jobs')).toBeNull();
  const results = await runInSpan('work', { kind: 'consumer' }, () =>
    Promise.resolve([currentTraceparent(), traceIds()]),
  );
  expect(results).toEqual([null, {}]);
  await expect(
    runInSpan('work', { kind: 'consumer' }, () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no');
});

test('a trace continues with the traceparent of another process, and remaining spans are sent when tracing is closed', async () => {
  const { otelExporterOtlpEndpoint, spans, paths, bodies } = await startCollector();
  const tracing = await startTracing({ otelExporterOtlpEndpoint }, 'jobs');
  let parent: string | null = null;
  let traceId: string | undefined;
  await runInSpan('GET /api/x', { kind: 'server', attributes: { 'http.route': '/api/x' } }, async () => {
    parent = currentTraceparent();
    traceId = traceIds().traceId;
    await Promise.resolve();
  });
  await runInSpan('task import', { kind: 'consumer', parent }, () =>
    // Inside another span, the outer span is the parent.
    runInSpan('webhook asset.ready', { kind: 'client', parent: null }, () => {
      failSpan('status 500');
      return Promise.resolve();
    }),
  );
  await tracing?.close();
  expect(new Set(paths)).toEqual(new Set(['/v1/traces']));
  const [request, task, webhook] = ['GET /api/x', 'task import', 'webhook asset.ready'].map((name) =>
    spans().find((span) => span.name === name),
  );
  expect(request?.traceId).toBe(traceId);
  expect(parent).toBe(`00-${traceId}-${request?.spanId}-01`);
  expect([task?.traceId, task?.parentSpanId]).toEqual([traceId, request?.spanId]);
  expect([webhook?.traceId, webhook?.parentSpanId]).toEqual([traceId, task?.spanId]);
  // 2 is STATUS_CODE_ERROR.
  expect(webhook?.status).toEqual({ code: 2, message: 'status 500' });
  const resource = bodies[0]?.resourceSpans[0]?.resource.attributes ?? [];
  const attributes = Object.fromEntries(resource.map(({ key, value }) => [key, value.stringValue]));
  expect(attributes).toMatchObject({ 'service.name': 'headwater', 'headwater.process': 'jobs' });
});

test('a collector that does not respond does not prevent a process from exiting', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  const tracing = await startTracing({ otelExporterOtlpEndpoint: `http://127.0.0.1:${port}` }, 'jobs');
  await runInSpan('work', { kind: 'consumer' }, () => Promise.resolve());
  await tracing?.close().catch(() => undefined);
  expect(currentTraceparent()).toBeNull();
});
