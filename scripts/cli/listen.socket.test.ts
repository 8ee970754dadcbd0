import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { eventSchemas } from '@/lib/contract/webhooks/event';
import { sampleEvent } from '@/lib/contract/webhooks/event-samples';
import { newWebhookSecret } from '@/lib/infra/ids';
import { startReceiver, type Answer, type Receiver } from '@/lib/infra/testing/receiver';
import { listen } from './listen';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function server(answer?: Answer): Promise<Receiver> {
  const started = await startReceiver(answer);
  closing.push(() => started.close());
  return started;
}

const happened = (count: number) => {
  const { createdAt, event: name, sequence, stream } = sampleEvent('stream.started');
  const event = { createdAt, event: name, sequence, stream };
  return Array.from({ length: count }, () => ({ ...event, id: crypto.randomUUID() }));
};

/** An API that gives these pages, one an answer, and then keeps the caller waiting. */
const apiOf =
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
  const ended = new AbortController();
  const secret = newWebhookSecret();
  const options = { baseUrl, forward, key: 'lsk_x', secret, signal: ended.signal };
  const running = listen({ ...options, say: (line) => void lines.push(line) });
  closing.push(() => {
    ended.abort();
    return running.catch(() => undefined);
  });
  return { lines, secret, running };
}

describe('listen', () => {
  test('forwards each event once and in order, signed like a delivery', async () => {
    const pages = [happened(2), happened(1)];
    const api = await server(apiOf(pages));
    const app = await server();
    const { lines, secret } = start(api.url, `${app.url}/hook`);
    await app.arrived(3);
    await api.arrived(4);
    const events = pages.flat();
    expect(app.received.map(({ headers }) => headers['webhook-id'])).toEqual(events.map(({ id }) => id));
    for (const { body, headers, url } of app.received) {
      expect(url).toBe('/hook');
      const read = new Webhook(secret).verify(body, headers as Record<string, string>);
      expect(eventSchemas['stream.started'].parse(read)).toEqual(read);
    }
    expect(api.received.every(({ headers }) => headers.authorization === 'Bearer lsk_x')).toBe(true);
    expect(lines[0]).toContain(secret);
    expect(lines.slice(1)).toEqual(events.map(({ id }) => expect.stringContaining(`${id} → 200`) as string));
  });

  test('says when nobody listens, and goes on', async () => {
    const gone = await startReceiver();
    await gone.close();
    const api = await server(apiOf([happened(1)]));
    const { lines } = start(api.url, gone.url);
    await api.arrived(3);
    expect(lines[1]).toContain('not delivered: nothing listens at this address');
  });

  test('comes back when the service was away, without losing its place', async () => {
    let away = 1;
    const pages = [happened(1)];
    const answer = apiOf(pages);
    const api = await server((request, response) => {
      if (request.url.includes('after=0') && away-- > 0) response.writeHead(503).end('{"errors":["away"]}');
      else answer(request, response);
    });
    const app = await server();
    const { lines } = start(api.url, app.url);
    await app.arrived(1);
    await api.arrived(4);
    expect(lines.filter((line) => line.includes('is not responding'))).toHaveLength(1);
    expect(lines.some((line) => line.includes('is back'))).toBe(true);
    expect(app.received).toHaveLength(1);
  });

  test('ends when the key is refused', async () => {
    const api = await server((_request, response) =>
      response.writeHead(401).end('{"errors":["request is not authenticated"]}'),
    );
    const { running } = start(api.url, api.url);
    await expect(running).rejects.toThrow('The service refused the request: request is not authenticated');
  });
});
