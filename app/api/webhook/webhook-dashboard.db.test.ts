import { describe, expect, test } from 'vitest';
import { transact } from '@/lib/domain/context';
import { eventSchemas } from '@/lib/contract/webhooks/event';
import type { Webhook, WebhookDelivery, WebhookLog } from '@/lib/contract/webhooks/webhook';
import { eventNames } from '@/lib/core/webhooks/events';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { emitEvent } from '@/lib/domain/webhooks';
import { expireWebhookLog } from '@/lib/domain/webhooks/expire-webhook-log';
import { snapshotOf } from '@/lib/domain/webhooks/testing/webhook-fixtures';
import { baseUrl, openTestApi, type Person } from '@/app/api/testing/test-api';
import { omitUndefined } from '@/lib/core/omit-undefined';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');

async function makeWebhook(owner: Person = ada, body: object = {}) {
  const settings = { name: 'Bot', url: 'https://example.com/hook', events: ['stream.started'], ...body };
  const response = await api.request('POST', '/api/webhook', { key: owner.key, body: settings });
  expect(response.status).toBe(201);
  const webhook = (await response.json()) as Webhook;
  const postAction = (verb: string, payload?: object) =>
    api.request('POST', `/api/dashboard/webhooks/${webhook.id}/${verb}`, {
      cookie: owner.cookie,
      origin: baseUrl,
      ...omitUndefined({ body: payload }),
    });
  return { ...webhook, postAction };
}

async function makeStream(owner: Person = ada): Promise<string> {
  const response = await api.request('POST', '/api/stream', { key: owner.key, body: { name: 'Town hall' } });
  return ((await response.json()) as { id: string }).id;
}

let sequence = 0;
const emitTestEvent = (streamId: string, { teamId, ctx }: Person = ada) =>
  transact(ctx, (tx) =>
    emitEvent(tx, {
      name: 'stream.started',
      teamId,
      streamId,
      sequence: ++sequence,
      stream: snapshotOf(teamId, streamId),
    }),
  );
const deliveriesOf = (webhookId: string) => db.webhookDelivery.findMany({ where: { webhookId } });

describe('a test event', () => {
  test.each(eventNames)('%s is a delivery of its sample to this webhook only', async (event) => {
    const { id, postAction } = await makeWebhook();
    const other = await makeWebhook(ada, { events: [event] });
    const response = await postAction('test', { event });
    expect(response.status).toBe(200);
    const entry = (await response.json()) as WebhookLog;
    expect(entry).toMatchObject({ webhookId: id, event, attempt: 1, success: false });
    const [delivery] = await deliveriesOf(id);
    expect(delivery).toMatchObject({ id: entry.deliveryId, state: 'pending', attempt: 0 });
    expect(await deliveriesOf(other.id)).toEqual([]);
    const row = await db.event.findUniqueOrThrow({ where: { id: delivery?.eventId ?? '' } });
    expect(row).toMatchObject({ name: event, test: true, teamId: ada.teamId, streamId: null });
    const head = { id: row.id, webhookId: id, createdAt: 1, timestamp: 2, event, test: true };
    const sequenceOf = row.sequence === null ? {} : { sequence: row.sequence };
    const sampleEvent = eventSchemas[event].parse({ ...head, ...sequenceOf, ...(row.payload as object) });
    expect(JSON.stringify(sampleEvent)).toContain(ada.teamId);
    for (const createdId of [id, other.id]) await db.webhook.delete({ where: { id: createdId } });
  });

  test('requires an enabled webhook and a known event', async () => {
    const { postAction } = await makeWebhook(ada, { disabled: true });
    expect((await postAction('test', { event: 'stream.started' })).status).toBe(409);
    expect((await postAction('test', { event: 'stream.exploded' })).status).toBe(422);
  });

  test('can be sent ten times a minute for each webhook', async () => {
    const { postAction } = await makeWebhook();
    const other = await makeWebhook();
    for (let count = 0; count < 10; count++)
      expect((await postAction('test', { event: 'stream.idle' })).status).toBe(200);
    const response = await postAction('test', { event: 'stream.idle' });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await other.postAction('test', { event: 'stream.idle' })).status).toBe(200);
  });
});

describe('resending', () => {
  test('includes all failed and skipped deliveries', async () => {
    const { id, postAction } = await makeWebhook();
    const streamId = await makeStream();
    for (const state of ['failed', 'skipped', 'ok', 'pending'] as const) {
      await emitTestEvent(streamId);
      await db.webhookDelivery.updateMany({
        where: { webhookId: id, state: 'pending', attempt: 0 },
        data: { state, attempt: 12, firstAt: new Date(0), nextAt: state === 'pending' ? new Date(0) : null },
      });
    }
    const response = await postAction('resend-failed');
    expect(await response.json()).toEqual({ resent: 2 });
    const resentDeliveries = (await deliveriesOf(id)).filter(({ triesBefore }) => triesBefore === 12);
    expect(resentDeliveries.map(({ state, firstAt, nextAt }) => [state, firstAt, nextAt === null])).toEqual([
      ['pending', null, false],
      ['pending', null, false],
    ]);
    expect(await (await postAction('resend-failed')).json()).toEqual({ resent: 0 });
  });

  test('includes a time range with accepted deliveries and events from before the webhook', async () => {
    const streamId = await makeStream();
    const other = await makeStream();
    await db.event.deleteMany({ where: { teamId: ada.teamId } });
    for (const emittingStreamId of [streamId, streamId, other, streamId])
      await emitTestEvent(emittingStreamId);
    const events = await db.event.findMany({ where: { teamId: ada.teamId }, orderBy: { sequence: 'asc' } });
    for (const [index, { id }] of events.entries())
      await db.event.update({ where: { id }, data: { createdAt: new Date(1_000 * (index + 1)) } });
    await emitTestEvent(await makeStream(eve), eve);
    const { id, postAction } = await makeWebhook(ada, { streamId });
    // The events are at 1, 2, 3 and 4 s, and the third is of another stream. The end of the range is exclusive.
    expect(await (await postAction('replay', { from: 1_000, to: 4_000 })).json()).toEqual({ resent: 2 });
    await db.webhookDelivery.updateMany({ where: { webhookId: id }, data: { state: 'ok', attempt: 1 } });
    expect(await (await postAction('replay', { from: 1_000, to: 5_000 })).json()).toEqual({ resent: 3 });
    const deliveries = await deliveriesOf(id);
    expect(deliveries.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);
    expect(deliveries.map(({ triesBefore }) => triesBefore).sort()).toEqual([0, 1, 1]);
    expect((await postAction('replay', { from: 5, to: 5 })).status).toBe(422);
  });

  test('of a too long range is rejected with the number of its events', async () => {
    const { postAction } = await makeWebhook(eve);
    await db.$executeRaw`
      insert into "Event" ("id", "teamId", "name", "payload", "createdAt")
      select gen_random_uuid(), ${eve.teamId}::uuid, 'stream.started', '{}', timestamptz 'epoch' + n * interval '1 ms'
      from generate_series(1, 5001) n`;
    const response = await postAction('replay', { from: 0, to: 100_000 });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      errors: [
        'to: the range holds 5001 events, and at most 5000 can be resent at once: choose a shorter range',
      ],
    });
    // One event per millisecond from 1 on; the end of the range is exclusive.
    expect(await (await postAction('replay', { from: 0, to: 5_000 })).json()).toEqual({ resent: 4_999 });
  });
});

test('the deliveries of a webhook are listed from the newest, and can be filtered by state', async () => {
  const { id, postAction } = await makeWebhook();
  const streamId = await makeStream();
  await emitTestEvent(streamId);
  await db.webhookDelivery.updateMany({ where: { webhookId: id }, data: { state: 'failed', attempt: 12 } });
  await postAction('test', { event: 'stream.idle' });
  const list = async (query = '') => {
    const path = `/api/dashboard/webhooks/${id}/deliveries${query}`;
    const response = await api.request('GET', path, { cookie: ada.cookie });
    expect(response.status).toBe(200);
    return (await response.json()) as WebhookDelivery[];
  };
  const [newest, first] = await list();
  expect(newest).toMatchObject({ event: 'stream.idle', state: 'pending', test: true, attempts: 0 });
  expect(newest?.nextAttemptAt).toBeGreaterThan(0);
  expect(first).toMatchObject({ event: 'stream.started', state: 'failed', test: false, attempts: 12 });
  expect(first).not.toHaveProperty('nextAttemptAt');
  const failed = encodeURIComponent(JSON.stringify([{ id: 'state', value: 'failed' }]));
  expect(await list(`?filters=${failed}`)).toEqual([first]);
});

describe('the secret', () => {
  const secretsOf = async (id: string) => {
    const row = await db.webhook.findUniqueOrThrow({ where: { id } });
    const open = (sealed: Uint8Array | null) =>
      sealed && api.services.secrets.open({ kind: 'webhook-secret', id, teamId: ada.teamId }, sealed);
    return {
      now: open(row.secretSealed),
      before: open(row.secretPreviousSealed),
      until: row.secretPreviousUntil,
    };
  };

  test('is rotated with the password, and the previous secret signs for another day', async () => {
    const { id, postAction } = await makeWebhook();
    const { now: first } = await secretsOf(id);
    expect((await postAction('roll-secret', { password: 'wrong' })).status).toBe(403);
    const response = await postAction('roll-secret', { password: ada.password });
    const { secret, previousUntil } = (await response.json()) as { secret: string; previousUntil: number };
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await secretsOf(id)).toEqual({ now: secret, before: first, until: new Date(previousUntil) });
    expect(Math.abs(previousUntil - Date.now() - 86_400_000)).toBeLessThan(60_000);
    const audit = await db.auditEntry.count({ where: { objectId: id, action: 'webhook.secret-rolled' } });
    expect(audit).toBe(1);
  });

  test('set by its owner has the same overlap, and setting it again changes nothing', async () => {
    const { id } = await makeWebhook(ada, { sharedSecret: 'first secret' });
    const patch = (sharedSecret: string) =>
      api.request('PATCH', `/api/webhook/${id}`, { key: ada.key, body: { sharedSecret } });
    await patch('first secret');
    expect(await secretsOf(id)).toMatchObject({ now: 'first secret', before: null });
    await patch('second secret');
    expect(await secretsOf(id)).toMatchObject({ now: 'second secret', before: 'first secret' });
  });
});

test('a webhook that the service disabled has a reason, and loses its failures when it is enabled', async () => {
  const { id } = await makeWebhook();
  const disabledState = { disabled: true, disabledReason: 'failing', failingSince: new Date(0), givenUp: 25 };
  await db.webhook.update({ where: { id }, data: disabledState });
  const readWebhook = async () =>
    (await (await api.request('GET', `/api/webhook/${id}`, { key: ada.key })).json()) as Webhook;
  expect(await readWebhook()).toMatchObject({ disabled: true, disabledReason: 'failing' });
  await api.request('PATCH', `/api/webhook/${id}`, { key: ada.key, body: { disabled: false } });
  expect(await readWebhook()).not.toHaveProperty('disabledReason');
  expect(await db.webhook.findUnique({ where: { id } })).toMatchObject({
    disabled: false,
    failingSince: null,
    givenUp: 0,
  });
});

test('webhooks of another team are not found', async () => {
  const { id } = await makeWebhook(eve);
  for (const [verb, body] of [
    ['test', { event: 'stream.idle' }],
    ['resend-failed', undefined],
    ['replay', { from: 0, to: 1 }],
    ['roll-secret', { password: ada.password }],
  ] as const) {
    const options = { cookie: ada.cookie, origin: baseUrl, ...(body ? { body } : {}) };
    expect((await api.request('POST', `/api/dashboard/webhooks/${id}/${verb}`, options)).status).toBe(404);
  }
});

test('attempts are deleted after 30 days, and deliveries too unless they are pending', async () => {
  const ann = await api.createPerson('ann');
  const { id } = await makeWebhook(ann);
  const streamId = await makeStream(ann);
  const DAY_MS = 86_400_000;
  const agesInDays = [29, 31, 31];
  for (const [index, age] of agesInDays.entries()) {
    await emitTestEvent(streamId, ann);
    const [delivery] = await db.webhookDelivery.findMany({ where: { webhookId: id, attempt: 0 } });
    const { id: deliveryId = '', eventId = '' } = delivery ?? {};
    const createdAt = new Date(Date.now() - age * DAY_MS);
    await db.event.update({ where: { id: eventId }, data: { createdAt } });
    const state = index === 2 ? 'pending' : 'ok';
    await db.webhookDelivery.update({ where: { id: deliveryId }, data: { attempt: 1, state } });
    const { teamId } = ann;
    await db.webhookAttempt.create({
      data: { teamId, webhookId: id, deliveryId, event: 'stream.started', attempt: 1, createdAt },
    });
  }
  const { ctx } = ada;
  await expireWebhookLog({ ...ctx, actor: { kind: 'system' } });
  expect((await deliveriesOf(id)).map(({ state }) => state).sort()).toEqual(['ok', 'pending']);
  expect(await db.webhookAttempt.count({ where: { webhookId: id } })).toBe(1);
});

test('the log and the pending deliveries of a deleted webhook are deleted, those of others are kept', async () => {
  const ann = await api.createPerson('ann');
  const [deleted, keptWebhook] = [await makeWebhook(ann), await makeWebhook(ann)];
  await emitTestEvent(await makeStream(ann), ann);
  for (const { id: webhookId } of [deleted, keptWebhook]) {
    const [{ id: deliveryId } = { id: '' }] = await deliveriesOf(webhookId);
    await db.webhookAttempt.create({
      data: { teamId: ann.teamId, webhookId, deliveryId, event: 'stream.started', attempt: 1 },
    });
  }
  const path = `/api/webhook/${deleted.id}`;
  expect((await api.request('DELETE', path, { key: ann.key })).status).toBe(204);
  await expireWebhookLog({ ...ada.ctx, actor: { kind: 'system' } });
  const rowsOf = async (webhookId: string) => [
    (await deliveriesOf(webhookId)).length,
    await db.webhookAttempt.count({ where: { webhookId } }),
  ];
  expect([await rowsOf(deleted.id), await rowsOf(keptWebhook.id)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
});
