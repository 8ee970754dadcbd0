import { reasonOf } from '@/lib/core/reasons/reason';
import { describe, expect, test } from 'vitest';
import type { WebhookLog } from '@/lib/contract/webhooks/webhook';
import type { Prisma } from '@/lib/generated/prisma/client';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi, type Person } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');
const startMs = Date.UTC(2026, 0, 1);
const request = { url: 'https://example.com/hook', method: 'POST', headers: { 'x-y': 'z' }, body: '{}' };

/** Inserts a webhook with one delivery whose twelve attempts failed. `attempt` returns a row for an attempt of it. */
async function insertFailedDelivery(person: Person = ada) {
  const { teamId } = person;
  const webhook = await db.webhook.create({
    data: { teamId, name: 'x', url: request.url, events: ['stream.idle'], secretSealed: Buffer.from('x') },
  });
  const stream = await db.stream.create({
    data: { teamId, name: 'x', playbackId: crypto.randomUUID().replaceAll('-', '').slice(0, 16) },
  });
  const event = await db.event.create({
    data: { teamId, streamId: stream.id, name: 'stream.idle', payload: {} },
  });
  const delivery = await db.webhookDelivery.create({
    data: { eventId: event.id, webhookId: webhook.id, state: 'failed', attempt: 12 },
  });
  const attempt = (number: number, data: Partial<Prisma.WebhookAttemptUncheckedCreateInput> = {}) => ({
    teamId,
    webhookId: webhook.id,
    deliveryId: delivery.id,
    event: 'stream.idle',
    resourceId: stream.id,
    attempt: number,
    request,
    response: { statusText: 'Oops', headers: { server: 'x' }, body: 'b29wcw==' },
    statusCode: 500,
    ip: '192.0.2.1',
    durationMs: 42,
    error: 'the receiver answered 500',
    createdAt: new Date(startMs + number * 1_000),
    ...data,
  });
  return { webhook, stream, delivery, event, attempt, path: `/api/webhook/${webhook.id}/log` };
}

async function listAttempts(path: string, query = ''): Promise<WebhookLog[]> {
  const response = await api.request('GET', `${path}${query}`, { key: ada.key });
  expect(response.status).toBe(200);
  return (await response.json()) as WebhookLog[];
}

const filterQuery = (...filters: object[]) => `?filters=${encodeURIComponent(JSON.stringify(filters))}`;

describe('the log', () => {
  test('contains every attempt, newest first', async () => {
    const { webhook, stream, delivery, attempt, path } = await insertFailedDelivery();
    await db.webhookAttempt.createMany({
      data: [
        attempt(1),
        attempt(2, { success: true, statusCode: 204, error: null, event: 'stream.started' }),
      ],
    });
    const [second, first] = await listAttempts(path);
    expect(first).toEqual({
      id: expect.any(String) as string,
      webhookId: webhook.id,
      deliveryId: delivery.id,
      event: 'stream.idle',
      resourceId: stream.id,
      attempt: 1,
      createdAt: startMs + 1_000,
      duration: 0.042,
      success: false,
      error: 'the receiver answered 500',
      errorReason: reasonOf('the receiver answered 500'),
      request,
      ip: '192.0.2.1',
      response: { status: 500, statusText: 'Oops', headers: { server: 'x' }, body: 'b29wcw==' },
    });
    expect(second).toMatchObject({ attempt: 2, success: true, response: { status: 204 } });
    const entryResponse = await api.request('GET', `${path}/${first?.id ?? ''}`, { key: ada.key });
    expect(await entryResponse.json()).toEqual(first);
  });

  test('can be filtered and ordered', async () => {
    const { stream, attempt, path } = await insertFailedDelivery();
    await db.webhookAttempt.createMany({
      data: [
        attempt(1),
        attempt(2, { success: true, statusCode: 200, event: 'stream.started' }),
        attempt(3, { statusCode: null, resourceId: null }),
      ],
    });
    const numbers = async (...filters: object[]) =>
      (await listAttempts(path, filterQuery(...filters))).map(({ attempt: number }) => number);
    for (const value of [true, 'true']) expect(await numbers({ id: 'success', value })).toEqual([2]);
    for (const value of [false, 'false']) expect(await numbers({ value, id: 'success' })).toEqual([3, 1]);
    expect(await numbers({ id: 'statusCode', value: { gte: 500 } })).toEqual([1]);
    expect(await numbers({ id: 'resourceId', value: stream.id })).toEqual([2, 1]);
    expect(await numbers({ id: 'event', value: 'started' })).toEqual([2]);
    const order = (await listAttempts(path, '?order=statusCode-true')).map(({ attempt: number }) => number);
    expect(order).toEqual([1, 2, 3]);
    for (const invalidQuery of [filterQuery({ id: 'success', value: 'yes' }), '?filters=x', '?cursor=x']) {
      expect((await api.request('GET', `${path}${invalidQuery}`, { key: ada.key })).status).toBe(400);
    }
  });

  test('reads a page of 10,000 attempts by an index, without sorting', async () => {
    const failedDeliveries = await Promise.all([
      insertFailedDelivery(),
      insertFailedDelivery(),
      insertFailedDelivery(eve),
    ]);
    for (const { webhook, delivery } of failedDeliveries) {
      await db.$executeRaw`
        insert into "WebhookAttempt" ("id", "teamId", "webhookId", "deliveryId", "event", "attempt", "createdAt")
        select gen_random_uuid(), ${webhook.teamId}::uuid, ${webhook.id}::uuid, ${delivery.id}::uuid,
          'stream.idle', n, timestamptz 'epoch' + n * interval '1 second'
        from generate_series(1, 10000) n`;
    }
    const [{ webhook, path }] = failedDeliveries;
    await db.$executeRaw`analyze "WebhookAttempt"`;
    const plan = await db.$queryRaw<{ 'QUERY PLAN': string }[]>`
      explain select * from "WebhookAttempt"
      where "webhookId" = ${webhook.id}::uuid and "teamId" = ${ada.teamId}::uuid
      order by "createdAt" desc, "id" asc limit 21`;
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toContain('Index Scan using "WebhookAttempt_webhookId_createdAt_id_idx"');
    expect(text).not.toContain('Sort');
    // The newest attempt is 10,000, so the 20th is 9,981.
    expect((await listAttempts(path, '?limit=20')).map(({ attempt: number }) => number)[19]).toBe(9_981);
  });
});

test('webhooks of a team are listed by an index, without sorting', async () => {
  const many = await api.createPerson('many');
  for (const { teamId } of [eve, many]) {
    await db.$executeRaw`
      insert into "Webhook" ("id", "teamId", "name", "url", "secretSealed")
      select gen_random_uuid(), ${teamId}::uuid, 'x', ${request.url}, '' from generate_series(1, 5000)`;
  }
  await db.$executeRaw`analyze "Webhook"`;
  const plan = await db.$queryRaw<{ 'QUERY PLAN': string }[]>`
    explain select * from "Webhook" where "teamId" = ${many.teamId}::uuid and "deletedAt" is null
    order by "id" asc limit 21`;
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(text).toContain('Index Scan using "Webhook_teamId_id_idx"');
  expect(text).not.toContain('Sort');
});

describe('resend', () => {
  test('makes the delivery due and returns the entry of the attempt', async () => {
    const { webhook, stream, delivery, attempt, path } = await insertFailedDelivery();
    const { id } = await db.webhookAttempt.create({ data: attempt(12) });
    const resend = () => api.request('POST', `${path}/${id}/resend`, { key: ada.key });
    const response = await resend();
    expect(response.status).toBe(200);
    const entry = (await response.json()) as WebhookLog;
    expect(entry).toEqual({
      id: expect.any(String) as string,
      webhookId: webhook.id,
      deliveryId: delivery.id,
      event: 'stream.idle',
      resourceId: stream.id,
      attempt: 13,
      createdAt: expect.any(Number) as number,
      success: false,
    });
    expect(entry.id).not.toBe(id);
    const dueDelivery = await db.webhookDelivery.findUniqueOrThrow({ where: { id: delivery.id } });
    expect(dueDelivery).toMatchObject({ state: 'pending', attempt: 12, triesBefore: 12, firstAt: null });
    expect(Math.abs(Number(dueDelivery.nextAt) - Date.now())).toBeLessThan(60_000);
    expect((await listAttempts(path))[0]).toEqual(entry);
    expect(await db.auditEntry.count({ where: { objectId: webhook.id, action: 'webhook.resent' } })).toBe(1);
  });

  test('returns the same entry while an attempt is pending', async () => {
    const { delivery, attempt, path } = await insertFailedDelivery();
    const { id } = await db.webhookAttempt.create({ data: attempt(12) });
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => api.request('POST', `${path}/${id}/resend`, { key: ada.key })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const entries = (await Promise.all(responses.map((answer) => answer.json()))) as WebhookLog[];
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(1);
    expect(await db.webhookAttempt.count({ where: { deliveryId: delivery.id } })).toBe(2);
  });

  test('of a disabled webhook is rejected', async () => {
    const { webhook, delivery, attempt, path } = await insertFailedDelivery();
    const { id } = await db.webhookAttempt.create({ data: attempt(12) });
    await db.webhook.update({ where: { id: webhook.id }, data: { disabled: true } });
    expect((await api.request('POST', `${path}/${id}/resend`, { key: ada.key })).status).toBe(409);
    expect(await db.webhookDelivery.findUnique({ where: { id: delivery.id } })).toEqual(delivery);
  });
});

test('attempts of another team or another webhook are not found', async () => {
  const ownDelivery = await insertFailedDelivery();
  const other = await insertFailedDelivery();
  const { id } = await db.webhookAttempt.create({ data: ownDelivery.attempt(12) });
  const before = await db.webhookAttempt.findMany({ where: { deliveryId: ownDelivery.delivery.id } });
  const paths = [
    `${ownDelivery.path}/${id}`,
    `${other.path}/${id}`,
    `${ownDelivery.path}/${crypto.randomUUID()}`,
  ];
  for (const [index, path] of paths.entries()) {
    const key = index === 0 ? eve.key : ada.key;
    expect((await api.request('GET', path, { key })).status).toBe(404);
    expect((await api.request('POST', `${path}/resend`, { key })).status).toBe(404);
  }
  expect((await api.request('GET', ownDelivery.path, { key: eve.key })).status).toBe(404);
  expect(await db.webhookAttempt.findMany({ where: { deliveryId: ownDelivery.delivery.id } })).toEqual(
    before,
  );
  expect(await db.webhookDelivery.findUnique({ where: { id: ownDelivery.delivery.id } })).toEqual(
    ownDelivery.delivery,
  );
});
