import { describe, expect, test } from 'vitest';
import { transact } from '@/lib/domain/context';
import type { NewEvent } from '@/lib/contract/webhooks/event';
import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { emitEvent } from '@/lib/domain/webhooks';
import { snapshotOf } from '@/lib/domain/webhooks/testing/webhook-fixtures';
import { openTestApi, type Person } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');

async function createObject(path: string, body: object, { key }: Person = ada): Promise<string> {
  const response = await api.request('POST', path, { key, body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

const createStream = (person?: Person) => createObject('/api/stream', { name: 'Town hall' }, person);
const createWebhook = (name: string, more: object = {}) =>
  createObject('/api/webhook', {
    name,
    url: 'https://example.com/hook',
    events: ['stream.started'],
    ...more,
  });

type EmittedEvent = { name: 'stream.started' | 'stream.idle' } | Pick<NewEvent, 'name'>;

function emitTestEvent(streamId: string, sequence: number, fields: EmittedEvent, person: Person = ada) {
  const { teamId, ctx } = person;
  const event = { teamId, streamId, sequence, stream: snapshotOf(teamId, streamId), ...fields };
  return transact(ctx, (tx) => emitEvent(tx, event as NewEvent));
}

async function readStreamEvents(streamId: string, query = '', { key }: Person = ada) {
  const response = await api.request('GET', `/api/stream/${streamId}/events${query}`, { key });
  expect(response.status).toBe(200);
  return { events: (await response.json()) as StreamEvent[], headers: response.headers };
}

describe('the events of a stream', () => {
  test('are the events of this stream only, newest first, with their payloads but without the stream object', async () => {
    const [id, other] = [await createStream(), await createStream()];
    const target = { id: crypto.randomUUID(), name: 'Club', profile: 'source' };
    await emitTestEvent(other, 1, { name: 'stream.started' });
    await emitTestEvent(id, 1, { name: 'stream.started' });
    const failed = { name: 'multistream.error', payload: { target, error: 'rejected' } } as const;
    await emitTestEvent(id, 2, failed);
    await emitTestEvent(id, 3, { name: 'stream.idle' });
    const { events } = await readStreamEvents(id);
    expect(events.map(({ event, sequence }) => [event, sequence])).toEqual([
      ['stream.idle', 3],
      ['multistream.error', 2],
      ['stream.started', 1],
    ]);
    expect(events[1]?.payload).toEqual({ target, error: 'rejected' });
    expect(events[0]).not.toHaveProperty('payload');
    expect(JSON.stringify(events)).not.toContain('playbackId');
  });

  test('list the webhooks that they were delivered to, with the results', async () => {
    const id = await createStream();
    const bot = await createWebhook('Bot');
    const off = await createWebhook('Off', { disabled: true });
    const deletedWebhook = await createWebhook('Gone');
    await createWebhook('Elsewhere', { streamId: await createStream() });
    await emitTestEvent(id, 1, { name: 'stream.started' });
    await emitTestEvent(id, 2, { name: 'stream.idle' });
    await db.webhook.update({ where: { id: deletedWebhook }, data: { deletedAt: new Date() } });
    const { events } = await readStreamEvents(id);
    expect(events[0]?.deliveries).toEqual([]);
    const sentDeliveries = await db.webhookDelivery.findMany({ where: { webhookId: { in: [bot, off] } } });
    const idOf = (webhookId: string) =>
      sentDeliveries.find((delivery) => delivery.webhookId === webhookId)?.id;
    expect(events[1]?.deliveries).toHaveLength(2);
    expect(events[1]?.deliveries).toEqual(
      expect.arrayContaining([
        { id: idOf(bot), webhookId: bot, webhookName: 'Bot', state: 'pending' },
        { id: idOf(off), webhookId: off, webhookName: 'Off', state: 'skipped' },
      ]),
    );
  });

  test('are paged and can be filtered', async () => {
    const id = await createStream();
    for (let sequence = 1; sequence <= 5; sequence++)
      await emitTestEvent(id, sequence, { name: sequence % 2 === 0 ? 'stream.idle' : 'stream.started' });
    const first = await readStreamEvents(id, '?limit=3&count=1');
    expect(first.headers.get('x-total-count')).toBe('5');
    const next = /<[^>]*\?([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await readStreamEvents(id, `?${next}`);
    expect([...first.events, ...second.events].map(({ sequence }) => sequence)).toEqual([5, 4, 3, 2, 1]);
    expect(second.headers.get('link')).toBeNull();
    const filters = encodeURIComponent(JSON.stringify([{ id: 'event', value: 'idle' }]));
    expect(
      (await readStreamEvents(id, `?filters=${filters}`)).events.map(({ sequence }) => sequence),
    ).toEqual([4, 2]);
    const plan = await db.$queryRaw<{ 'QUERY PLAN': string }[]>`
      explain select * from "Event" where "streamId" = ${id}::uuid and "sequence" is not null
      order by "sequence" desc limit 21`;
    expect(JSON.stringify(plan)).toContain('Event_streamId_sequence_idx');
  });

  test('of another team or of a deleted stream are not found', async () => {
    const id = await createStream();
    await emitTestEvent(id, 1, { name: 'stream.started' });
    const status = async ({ key }: Person) =>
      (await api.request('GET', `/api/stream/${id}/events`, { key })).status;
    expect(await status(eve)).toBe(404);
    await api.request('DELETE', `/api/stream/${id}`, { key: ada.key });
    expect(await status(ada)).toBe(404);
  });
});
