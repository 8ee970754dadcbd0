import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { Webhook } from 'standardwebhooks';

// Delivery of the events of a stream to a webhook, and to a local URL by the command `npm run cli -- listen`.

const execFileAsync = promisify(execFile);
const bootstrapScript = join(import.meta.dirname, '..', '..', 'scripts', 'bootstrap.mjs');
const baseUrl = process.env.BASE_URL ?? 'http://localhost:3000';
const password = 'correct horse battery staple';
const webhookSecret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

interface ReceivedDelivery {
  readonly path: string;
  /** Unix time in milliseconds. */
  readonly receivedAt: number;
  readonly event: { id: string; event: string; createdAt: number; sequence: number; stream: object };
}

test('a webhook receives stream.started and stream.idle once, signed and within 20 s, and the command listen forwards them', async ({
  playwright,
}) => {
  const deliveries: ReceivedDelivery[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const event = new Webhook(webhookSecret).verify(body, headers) as ReceivedDelivery['event'];
      deliveries.push({ path: request.url ?? '', receivedAt: Date.now(), event });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const email = `webhooks-${process.pid}-${Date.now()}@example.com`;
  const runCli = (...args: string[]) => execFileAsync(process.execPath, [bootstrapScript, 'cli', ...args]);
  await runCli('account:create', '--email', email, '--password', password);
  const { stdout } = await runCli('key:create', '--email', email, '--name', 'webhooks');
  const apiKey = stdout.trim();
  const request = await playwright.request.newContext({
    baseURL: baseUrl,
    extraHTTPHeaders: { origin: baseUrl },
  });
  const { csrfToken } = (await (await request.get('/api/auth/csrf')).json()) as { csrfToken: string };
  await request.post('/api/auth/callback/credentials', {
    form: { csrfToken, email, password, json: 'true' },
  });

  const events = ['stream.started', 'stream.idle'];
  const webhookFields = { name: 'e2e', url: `${receiverUrl}/hook`, events, sharedSecret: webhookSecret };
  const webhookResponse = await request.post('/api/webhook', { data: webhookFields });
  expect(webhookResponse.status()).toBe(201);
  const webhook = (await webhookResponse.json()) as { id: string };
  const { id } = (await (await request.post('/api/stream', { data: { name: 'Town hall' } })).json()) as {
    id: string;
  };

  const listenOptions = [
    '--forward',
    `${receiverUrl}/forwarded`,
    '--key',
    apiKey,
    '--secret',
    webhookSecret,
    '--url',
    baseUrl,
  ];
  const listenProcess = spawn(process.execPath, [bootstrapScript, 'cli', 'listen', ...listenOptions], {
    stdio: 'pipe',
  });
  const listenExit = once(listenProcess, 'exit');
  try {
    // The command prints its first line when it receives events.
    await once(listenProcess.stdout, 'data');
    const setTestPattern = (running: boolean) =>
      request.put(`/api/dashboard/streams/${id}/test-pattern`, { data: { running } });
    const eventNamesAt = (path: string) =>
      deliveries.filter((delivery) => delivery.path === path).map(({ event }) => event.event);
    expect((await setTestPattern(true)).status()).toBe(204);
    for (const path of ['/hook', '/forwarded'])
      await expect.poll(() => eventNamesAt(path)).toEqual(['stream.started']);
    expect((await setTestPattern(false)).status()).toBe(204);
    for (const path of ['/hook', '/forwarded']) await expect.poll(() => eventNamesAt(path)).toEqual(events);

    const webhookDeliveries = deliveries.filter(({ path }) => path === '/hook');
    // The limit is for a busy machine. It is not an expected duration.
    for (const { receivedAt, event } of webhookDeliveries)
      expect(receivedAt - event.createdAt).toBeLessThan(20_000);
    expect(webhookDeliveries.map(({ event }) => event.sequence)).toEqual([1, 2]);
    expect(JSON.stringify(deliveries)).not.toContain('streamKey');
    const eventIdsAt = (path: string) =>
      deliveries.filter((delivery) => delivery.path === path).map(({ event }) => event.id);
    expect(eventIdsAt('/forwarded')).toEqual(eventIdsAt('/hook'));
    const readLog = async () =>
      (await (await request.get(`/api/webhook/${webhook.id}/log`)).json()) as { success: boolean }[];
    await expect.poll(async () => (await readLog()).map(({ success }) => success)).toEqual([true, true]);
  } finally {
    listenProcess.kill('SIGTERM');
    await listenExit;
    await request.dispose();
    server.close();
  }
});
