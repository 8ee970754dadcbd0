import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { Webhook } from 'standardwebhooks';

/** Delivers the events of a real stream to a real receiver, and to a developer's machine. */

const run = promisify(execFile);
const bootstrap = join(import.meta.dirname, '..', '..', 'scripts', 'bootstrap.mjs');
const base = process.env.BASE_URL ?? 'http://localhost:3000';
const password = 'correct horse battery staple';
const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

interface ReceivedDelivery {
  readonly path: string;
  readonly at: number;
  readonly event: { id: string; event: string; createdAt: number; sequence: number; stream: object };
}

test('the start and end of a stream are delivered once, in time, signed, and forwarded by listen', async ({
  playwright,
}) => {
  const deliveries: ReceivedDelivery[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const event = new Webhook(secret).verify(body, headers) as ReceivedDelivery['event'];
      deliveries.push({ path: request.url ?? '', at: Date.now(), event });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const email = `webhooks-${process.pid}-${Date.now()}@example.com`;
  const cli = (...args: string[]) => run(process.execPath, [bootstrap, 'cli', ...args]);
  await cli('account:create', '--email', email, '--password', password);
  const { stdout } = await cli('key:create', '--email', email, '--name', 'webhooks');
  const key = stdout.trim();
  const request = await playwright.request.newContext({ baseURL: base, extraHTTPHeaders: { origin: base } });
  const { csrfToken } = (await (await request.get('/api/auth/csrf')).json()) as { csrfToken: string };
  await request.post('/api/auth/callback/credentials', {
    form: { csrfToken, email, password, json: 'true' },
  });

  const events = ['stream.started', 'stream.idle'];
  const data = { name: 'e2e', url: `${receiver}/hook`, events, sharedSecret: secret };
  const hookResponse = await request.post('/api/webhook', { data });
  expect(hookResponse.status()).toBe(201);
  const webhook = (await hookResponse.json()) as { id: string };
  const { id } = (await (await request.post('/api/stream', { data: { name: 'Town hall' } })).json()) as {
    id: string;
  };

  const options = ['--forward', `${receiver}/forwarded`, '--key', key, '--secret', secret, '--url', base];
  const listenProcess = spawn(process.execPath, [bootstrap, 'cli', 'listen', ...options], { stdio: 'pipe' });
  const listenEnd = once(listenProcess, 'exit');
  try {
    await once(listenProcess.stdout, 'data');
    const pattern = (running: boolean) =>
      request.put(`/api/dashboard/streams/${id}/test-pattern`, { data: { running } });
    const namesAt = (path: string) =>
      deliveries.filter((delivery) => delivery.path === path).map(({ event }) => event.event);
    expect((await pattern(true)).status()).toBe(204);
    for (const path of ['/hook', '/forwarded'])
      await expect.poll(() => namesAt(path)).toEqual(['stream.started']);
    expect((await pattern(false)).status()).toBe(204);
    for (const path of ['/hook', '/forwarded']) await expect.poll(() => namesAt(path)).toEqual(events);

    const hookDeliveries = deliveries.filter(({ path }) => path === '/hook');
    for (const { at, event } of hookDeliveries) expect(at - event.createdAt).toBeLessThan(20_000);
    expect(hookDeliveries.map(({ event }) => event.sequence)).toEqual([1, 2]);
    expect(JSON.stringify(deliveries)).not.toContain('streamKey');
    const ids = (path: string) =>
      deliveries.filter((delivery) => delivery.path === path).map(({ event }) => event.id);
    expect(ids('/forwarded')).toEqual(ids('/hook'));
    const log = async () =>
      (await (await request.get(`/api/webhook/${webhook.id}/log`)).json()) as { success: boolean }[];
    await expect.poll(async () => (await log()).map(({ success }) => success)).toEqual([true, true]);
  } finally {
    listenProcess.kill('SIGTERM');
    await listenEnd;
    await request.dispose();
    server.close();
  }
});
