import { createServer } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { metrics } from '@/lib/infra/metrics/metrics';
import { countOf } from '@/lib/infra/metrics/testing/metric-value';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import type { Answer } from '@/lib/infra/testing/receiver';
import { startTlsReceiver } from '@/lib/infra/testing/tls-receiver';
import {
  snapshotOf,
  testSecret,
  createWebhookFixtures,
} from '@/lib/domain/webhooks/testing/webhook-fixtures';
import { startWebhookReceiver, startDeliveryWorker } from './testing/delivery-worker';

const fixtures = createWebhookFixtures(await createTestDatabase());
const { ctx, db, createTeam, createStream, createWebhook, emitStarted, deliveriesOf, attemptsOf } = fixtures;
const teamId = await createTeam();
const { id: streamId } = await createStream(teamId);
/** Shortens the retry window from 15 minutes to 2.7 s. */
const BASE_MS = 15;
const settings = { ...ctx.settings, webhookRetryBaseMs: BASE_MS };
const worker = startDeliveryWorker({ ...ctx, settings }, { timeoutMs: 1_000 });

/**
 * Creates a webhook for a receiver, and waits until one event is delivered to it or has failed.
 * @param answer the receiver's answer, or the URL of a running receiver
 */
async function deliverTo(answer: Answer | string) {
  const endpoint = typeof answer === 'string' ? null : await startWebhookReceiver(answer);
  const { id } = await createWebhook(teamId, { url: endpoint?.url ?? String(answer), streamId });
  const eventId = await emitStarted(teamId, streamId);
  worker.notify();
  await worker.waitUntilDone();
  await db.webhook.updateMany({ where: { id, disabled: false }, data: { deletedAt: new Date() } });
  const [delivery] = await deliveriesOf(id);
  const row = await db.webhook.findUniqueOrThrow({ where: { id } });
  return { id, eventId, received: endpoint?.received ?? [], delivery, row, attempts: await attemptsOf(id) };
}

const answerWith =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(code, headers).end('reply');

/** Attempts that were accepted, retried and failed, in this process so far. */
const readAttemptCounts = async () =>
  [
    await countOf(metrics.deliveryDuration, { outcome: 'accepted' }),
    await countOf(metrics.deliveryDuration, { outcome: 'retried' }),
    await countOf(metrics.deliveryDuration, { outcome: 'failed' }),
  ] as const;

describe('a delivery', () => {
  test('contains the event as it was emitted, signed over the exact bytes', async () => {
    const { id, eventId, received, delivery, attempts, row } = await deliverTo(
      answerWith(200, { 'set-cookie': 'a=s3cret', 'retry-after': '1' }),
    );
    expect(JSON.stringify(attempts)).not.toContain('s3cret');
    expect(received).toHaveLength(1);
    const [request] = received;
    expect(request).toMatchObject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json', accept: '*/*' },
    });
    const body = new Webhook(testSecret).verify(
      request?.body ?? '',
      request?.headers as Record<string, string>,
    );
    expect(body).toEqual({
      id: eventId,
      webhookId: id,
      createdAt: expect.any(Number) as number,
      timestamp: expect.any(Number) as number,
      event: 'stream.started',
      sequence: expect.any(Number) as number,
      stream: snapshotOf(teamId, streamId),
    });
    expect(request?.headers['livepeer-signature']).toMatch(/^t=\d{13},v1=[0-9a-f]{64}$/);
    expect(request?.headers['webhook-id']).toBe(eventId);
    expect(delivery).toMatchObject({ state: 'ok', attempt: 1, nextAt: null });
    expect(attempts).toMatchObject([
      {
        attempt: 1,
        success: true,
        statusCode: 200,
        error: null,
        nextAt: null,
        resourceId: streamId,
        request: { method: 'POST', body: request?.body },
        response: {
          statusText: 'OK',
          headers: { date: expect.any(String) as string, 'retry-after': '1' },
          body: Buffer.from('reply').toString('base64'),
        },
        ip: '127.0.0.1',
      },
    ]);
    expect(row.lastTriggered).not.toBeNull();
    expect(row.lastFailure).toBeNull();
  });

  test('is retried with the same id and growing delays until it is accepted', async () => {
    let count = 0;
    const countsBefore = await readAttemptCounts();
    const { eventId, received, delivery, attempts, row } = await deliverTo((request, response) =>
      answerWith(++count <= 3 ? 500 : 200)(request, response),
    );
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(Array(4).fill(eventId));
    await expect.poll(readAttemptCounts).toEqual([countsBefore[0] + 1, countsBefore[1] + 3, countsBefore[2]]);
    const signatures = received.map(({ headers }) => headers['webhook-signature']);
    const timestamps = received.map(({ body }) => (JSON.parse(body) as { timestamp: number }).timestamp);
    expect(new Set(timestamps).size).toBe(4);
    expect(signatures.every((signature) => signature?.toString().startsWith('v1,'))).toBe(true);
    expect(delivery).toMatchObject({ state: 'ok', attempt: 4 });
    expect(attempts.map(({ attempt, statusCode }) => [attempt, statusCode])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 200],
    ]);
    const plannedTimes = attempts.map(
      ({ createdAt, nextAt, durationMs }) => Number(nextAt) - Number(createdAt) - (durationMs ?? 0),
    );
    expect(plannedTimes[1]).toBeGreaterThan(plannedTimes[0] ?? 0);
    expect(plannedTimes[2]).toBeGreaterThan(plannedTimes[1] ?? 0);
    expect(attempts[0]?.error).toBe('the receiver answered 500');
    expect(row).toMatchObject({ failingSince: null, lastFailure: { statusCode: 500 } });
  });

  test('fails at the end of its schedule', async () => {
    const countsBefore = await readAttemptCounts();
    const { delivery, attempts, row } = await deliverTo(answerWith(503));
    const retryCount = attempts.length - 1;
    await expect
      .poll(readAttemptCounts)
      .toEqual([countsBefore[0], countsBefore[1] + retryCount, countsBefore[2] + 1]);
    // The schedule has twelve attempts (lib/core/webhooks/retry-schedule.test.ts), but the window may end earlier on a
    // busy machine.
    expect(attempts.length).toBeGreaterThanOrEqual(6);
    expect(attempts.length).toBeLessThanOrEqual(12);
    expect(delivery).toMatchObject({ state: 'failed', attempt: attempts.length, nextAt: null });
    expect(attempts.at(-1)?.nextAt).toBeNull();
    expect(row).toMatchObject({ givenUp: 1, disabled: false });
    expect(row.failingSince).not.toBeNull();
  });
});

/**
 * A TCP server that responds with these bytes, and then with `drip` every 50 ms if it is set.
 * @returns its URL
 */
async function startRawServer(bytes: string, drip?: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (drip === undefined) return socket.end(bytes);
      socket.write(bytes);
      const timer = setInterval(() => socket.write(drip), 50);
      socket.on('close', () => clearInterval(timer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}

describe('responses of receivers', () => {
  test.each([200, 201, 202, 204, 299])('status %s is a success', async (code) => {
    expect((await deliverTo(answerWith(code))).delivery?.state).toBe('ok');
  });

  test.each([300, 304, 400, 401, 404, 429, 500])('status %s is retried', async (code) => {
    let count = 0;
    const { attempts } = await deliverTo((request, response) =>
      answerWith(count++ === 0 ? code : 200)(request, response),
    );
    expect(attempts.map(({ statusCode }) => statusCode)).toEqual([code, 200]);
  });

  test('a redirect is a failure and is not followed', async () => {
    const redirectTarget = await startWebhookReceiver();
    const { delivery, attempts } = await deliverTo(answerWith(302, { location: redirectTarget.url }));
    expect(delivery?.state).toBe('failed');
    expect(attempts[0]?.error).toBe('the receiver answered 302, and redirects are not followed');
    expect(redirectTarget.received).toEqual([]);
  });

  test('status 410 disables the webhook', async () => {
    const { id, delivery, attempts, row } = await deliverTo(answerWith(410));
    expect(delivery?.state).toBe('failed');
    expect(attempts).toHaveLength(1);
    expect(row).toMatchObject({ disabled: true, disabledReason: 'gone' });
    expect(await db.auditEntry.findMany({ where: { objectId: id } })).toMatchObject([
      { action: 'webhook.switched-off', teamId, actor: 'system' },
    ]);
    await emitStarted(teamId, streamId);
    expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(['failed', 'skipped']);
  });

  test('no response is a failure after the timeout', async () => {
    let count = 0;
    const { attempts } = await deliverTo((request, response) => {
      if (count++ > 0) answerWith(200)(request, response);
    });
    expect(attempts[0]?.error).toBe('there was no complete response within 1 s');
    expect(attempts[0]?.statusCode).toBeNull();
    expect(attempts[0]?.durationMs).toBeGreaterThanOrEqual(995);
  });

  test('an endless body is truncated, and the status decides', async () => {
    let sentCount = 0;
    const { delivery, attempts } = await deliverTo((_request, response) => {
      const sendMore = () => {
        do sentCount += 65_536;
        while (response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', sendMore).on('error', () => undefined);
      sendMore();
    });
    expect(delivery).toMatchObject({ state: 'ok', attempt: 1 });
    const { body } = attempts[0]?.response as { body: string };
    expect(Buffer.from(body, 'base64')).toHaveLength(1_024);
    // More than the buffers of two sockets hold.
    expect(sentCount).toBeLessThan(60_000_000);
  });

  test.each([
    ['an invalid chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'not valid HTTP'],
    ['an incomplete body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx', 'closed before'],
    ['another protocol', 'SSH-2.0-OpenSSH\r\n', 'not valid HTTP'],
  ])('%s is a failure', async (_name, bytes, error) => {
    const { delivery, attempts } = await deliverTo(await startRawServer(bytes));
    expect(delivery?.state).toBe('failed');
    expect(attempts[0]?.error).toContain(error);
  });

  test('slow headers are a failure after the timeout', async () => {
    // Without a limit, reading the response would never end.
    const { delivery, attempts } = await deliverTo(
      await startRawServer('HTTP/1.1 200 OK\r\n', 'x-drip: 1\r\n'),
    );
    expect(delivery?.state).toBe('failed');
    expect(attempts[0]).toMatchObject({
      error: 'there was no complete response within 1 s',
      statusCode: null,
    });
  });

  test('a self-signed certificate is a failure, and the error says so', async () => {
    const endpoint = await startTlsReceiver();
    afterAll(() => endpoint.close());
    const { delivery, attempts } = await deliverTo(endpoint.url);
    expect(delivery?.state).toBe('failed');
    expect(attempts[0]?.error).toContain('its certificate is self-signed');
    expect(endpoint.requestCount()).toBe(0);
  });

  test('a forbidden address gets the same error as an unreachable one', async () => {
    const { attempts } = await deliverTo('http://169.254.169.254/latest/meta-data/');
    expect(attempts[0]?.error).toBe('the connection failed: no public address of this host accepted it');
    expect(attempts[0]).toMatchObject({ response: null, ip: null });
  });

  test('Retry-After lengthens the delay, up to twice the scheduled one', async () => {
    let count = 0;
    const { attempts } = await deliverTo((request, response) =>
      answerWith(count++ === 0 ? 429 : 200, { 'retry-after': '3600' })(request, response),
    );
    const [firstAttempt] = attempts;
    const delayMs =
      Number(firstAttempt?.nextAt) - Number(firstAttempt?.createdAt) - (firstAttempt?.durationMs ?? 0);
    expect(delayMs).toBeGreaterThanOrEqual(2 * BASE_MS * 0.9 - 1);
    expect(delayMs).toBeLessThanOrEqual(2 * BASE_MS * 1.1 + 1);
  });
});

describe('a webhook that has failed for days', () => {
  const threeDaysAgo = new Date(Date.now() - 72 * 3_600_000 - 1);
  test.each([
    { failedDeliveries: 20, failingHours: 72, failingSince: threeDaysAgo, disabled: true },
    { failedDeliveries: 19, failingHours: 72, failingSince: threeDaysAgo, disabled: false },
    {
      failedDeliveries: 501,
      failingHours: 71,
      failingSince: new Date(Date.now() - 71 * 3_600_000),
      disabled: false,
    },
  ])(
    'after $failedDeliveries failed deliveries in $failingHours hours has disabled: $disabled',
    async (example) => {
      const { failedDeliveries, failingSince, disabled } = example;
      const endpoint = await startWebhookReceiver(answerWith(500));
      const { id } = await createWebhook(teamId, {
        url: endpoint.url,
        streamId,
        givenUp: failedDeliveries - 1,
        failingSince,
      });
      const earlierAttempts = 11;
      await emitStarted(teamId, streamId, earlierAttempts);
      await worker.waitUntilDone();
      const row = await db.webhook.update({ where: { id }, data: { deletedAt: new Date() } });
      expect(row).toMatchObject({
        disabled,
        disabledReason: disabled ? 'failing' : null,
        givenUp: failedDeliveries,
      });
    },
  );

  test('is healthy again after one success', async () => {
    const endpoint = await startWebhookReceiver();
    const { id } = await createWebhook(teamId, {
      url: endpoint.url,
      streamId,
      givenUp: 500,
      failingSince: threeDaysAgo,
    });
    await emitStarted(teamId, streamId);
    await worker.waitUntilDone();
    const row = await db.webhook.update({ where: { id }, data: { deletedAt: new Date() } });
    expect(row).toMatchObject({ disabled: false, failingSince: null, givenUp: 0 });
  });
});

test.each([
  ['disabled', { disabled: true }],
  ['deleted', { deletedAt: new Date() }],
])('pending deliveries of a %s webhook are skipped', async (name, webhookChange) => {
  const endpoint = await startWebhookReceiver(answerWith(500));
  const { id } = await createWebhook(teamId, { url: endpoint.url, streamId });
  const eventId = await emitStarted(teamId, streamId);
  await endpoint.waitForRequests(1);
  await db.webhook.update({ where: { id }, data: webhookChange });
  await worker.waitUntilDone();
  const [delivery] = await deliveriesOf(id);
  expect(delivery).toMatchObject({ eventId, state: 'skipped' });
  expect((await attemptsOf(id)).at(-1)?.error).toContain(name);
});

test('after a roll, both secrets sign until the previous one expires', async () => {
  const endpoint = await startWebhookReceiver();
  const previousSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const { id } = await createWebhook(teamId, { url: endpoint.url, streamId });
  const sealedSecret = ctx.secrets.seal({ kind: 'webhook-secret', id, teamId }, previousSecret);
  const setPreviousSecret = (expiresInMs: number) =>
    db.webhook.update({
      where: { id },
      data: { secretPreviousSealed: sealedSecret, secretPreviousUntil: new Date(Date.now() + expiresInMs) },
    });
  await setPreviousSecret(60_000);
  await emitStarted(teamId, streamId);
  await worker.waitUntilDone();
  await setPreviousSecret(-1);
  await emitStarted(teamId, streamId);
  await worker.waitUntilDone();
  await db.webhook.update({ where: { id }, data: { deletedAt: new Date() } });
  const accepts = (secret: string, index: number) => {
    const request = endpoint.received[index];
    try {
      new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  expect([accepts(testSecret, 0), accepts(previousSecret, 0)]).toEqual([true, true]);
  expect([accepts(testSecret, 1), accepts(previousSecret, 1)]).toEqual([true, false]);
});
