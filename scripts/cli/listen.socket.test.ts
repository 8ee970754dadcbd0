import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { eventSchemas } from '@/lib/contract/webhooks/event';
import { createSampleEvent } from '@/lib/contract/webhooks/event-samples';
import { newWebhookSecret } from '@/lib/infra/ids';
import { startReceiver, type Answer, type Receiver } from '@/lib/infra/testing/receiver';
import { listen } from './listen';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});

async function startServer(answer?: Answer): Promise<Receiver> {
  const endpoint = await startReceiver(answer);
  cleanups.push(() => endpoint.close());
  return endpoint;
}

const sampleEvents = (count: number) => {
  const { createdAt, event: name, sequence, stream } = createSampleEvent('stream.started');
  const event = { createdAt, event: name, sequence, stream };
  return Array.from({ length: count }, () => ({ ...event, id: crypto.randomUUID() }));
};

/** An API that returns one page per request and does not respond after the last one. */
const createPagedApi =
  (pages: readonly object[][]): Answer =>
  ({ url }, response) => {
    const after = new URL(url, 'http://x').searchParams.get('after');
    const index = after === null ? -1 : Number(after);
    const events = index < 0 ? [] : pages[index];
    if (!events) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ events, cursor: String(index + 1) }));
  };

function start(baseUrl: string, forward: string) {
  const lines: string[] = [];
  const stopping = new AbortController();
  const secret = newWebhookSecret();
  const options = { baseUrl, forward, key: 'lsk_x', secret, signal: stopping.signal };
  const whenEnded = listen({ ...options, log: (line) => void lines.push(line) });
  cleanups.push(() => {
    stopping.abort();
    return whenEnded.catch(() => undefined);
  });
  return { lines, secret, whenEnded };
}

describe('listen', () => {
  test('forwards each event once and in order, signed like a delivery', async () => {
    const pages = [sampleEvents(2), sampleEvents(1)];
    const api = await startServer(createPagedApi(pages));
    const app = await startServer();
    const { lines, secret } = start(api.url, `${app.url}/hook`);
    await app.waitForRequests(3);
    await api.waitForRequests(4);
    const events = pages.flat();
    expect(app.received.map(({ headers }) => headers['webhook-id'])).toEqual(events.map(({ id }) => id));
    for (const { body, headers, url } of app.received) {
      expect(url).toBe('/hook');
      const payload = new Webhook(secret).verify(body, headers as Record<string, string>);
      expect(eventSchemas['stream.started'].parse(payload)).toEqual(payload);
    }
    expect(api.received.every(({ headers }) => headers.authorization === 'Bearer lsk_x')).toBe(true);
    expect(lines[0]).toContain(secret);
    expect(lines.slice(1)).toEqual(events.map(({ id }) => expect.stringContaining(`${id} → 200`) as string));
  });

  test('reports an unreachable receiver and continues', async () => {
    const closedEndpoint = await startReceiver();
    await closedEndpoint.close();
    const api = await startServer(createPagedApi([sampleEvents(1)]));
    const { lines } = start(api.url, closedEndpoint.url);
    await api.waitForRequests(3);
    expect(lines[1]).toContain('not delivered: nothing listens at this address');
  });

  test('resumes at the same cursor after an outage of the service', async () => {
    let remainingFailures = 1;
    const pages = [sampleEvents(1)];
    const answer = createPagedApi(pages);
    const api = await startServer((request, response) => {
      if (request.url.includes('after=0') && remainingFailures-- > 0)
        response.writeHead(503).end('{"errors":["unavailable"]}');
      else answer(request, response);
    });
    const app = await startServer();
    const { lines } = start(api.url, app.url);
    await app.waitForRequests(1);
    await api.waitForRequests(4);
    expect(lines.filter((line) => line.includes('is not responding'))).toHaveLength(1);
    expect(lines.some((line) => line.includes('is back'))).toBe(true);
    expect(app.received).toHaveLength(1);
  });

  test('ends with an error when the key is rejected', async () => {
    const api = await startServer((_request, response) =>
      response.writeHead(401).end('{"errors":["request is not authenticated"]}'),
    );
    const { whenEnded } = start(api.url, api.url);
    await expect(whenEnded).rejects.toThrow('The service rejected the request: request is not authenticated');
  });
});
