import { describe, expect, test } from 'vitest';
import { transact } from '@/lib/domain/context';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { emitEvent } from './emit-event';
import { snapshotOf, createWebhookFixtures } from './testing/webhook-fixtures';

const { ctx, db, createTeam, createStream, createWebhook, emitStarted, deliveriesOf, attemptsOf } =
  createWebhookFixtures(await createTestDatabase());
const teamId = await createTeam();
const { id: streamId } = await createStream(teamId);

describe('an event', () => {
  test('has one delivery for each subscribed webhook', async () => {
    const otherStream = await createStream(teamId);
    const otherTeam = await createTeam();
    const subscribedWebhooks = [await createWebhook(teamId), await createWebhook(teamId, { streamId })];
    const unsubscribedWebhooks = [
      await createWebhook(teamId, { events: ['stream.idle'] }),
      await createWebhook(teamId, { streamId: otherStream.id }),
      await createWebhook(teamId, { deletedAt: new Date() }),
      await createWebhook(otherTeam),
    ];
    const eventId = await emitStarted(teamId, streamId);
    for (const { id } of subscribedWebhooks) {
      expect(await deliveriesOf(id)).toMatchObject([{ eventId, state: 'pending', attempt: 0 }]);
    }
    for (const { id } of unsubscribedWebhooks) expect(await deliveriesOf(id)).toEqual([]);
    const event = await db.event.findUniqueOrThrow({ where: { id: eventId } });
    expect(event).toMatchObject({ name: 'stream.started', sequence: 1, test: false });
    expect(event.payload).toEqual({ stream: snapshotOf(teamId, streamId) });
    expect(JSON.stringify(event.payload)).not.toContain('streamKey');
  });

  test('is logged as skipped for a disabled webhook', async () => {
    const { id } = await createWebhook(teamId, { disabled: true });
    await emitStarted(teamId, streamId);
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'skipped', attempt: 1, nextAt: null }]);
    expect(await attemptsOf(id)).toMatchObject([
      {
        attempt: 1,
        error: 'skipped: the webhook is disabled',
        success: false,
        request: null,
        resourceId: streamId,
      },
    ]);
  });

  test('of a suspended team is not delivered', async () => {
    const suspendedTeam = await createTeam({ suspended: true });
    const { id } = await createWebhook(suspendedTeam);
    await emitStarted(suspendedTeam, (await createStream(suspendedTeam)).id);
    expect(await deliveriesOf(id)).toEqual([]);
  });

  test('that is rolled back leaves no rows', async () => {
    const { id } = await createWebhook(teamId);
    const countBefore = await db.event.count();
    const change = transact(ctx, async (tx) => {
      const snapshot = snapshotOf(teamId, streamId);
      await emitEvent(tx, { name: 'stream.idle', teamId, streamId, sequence: 99, stream: snapshot });
      throw new Error('the change failed');
    });
    await expect(change).rejects.toThrow('the change failed');
    expect(await db.event.count()).toBe(countBefore);
    expect(await deliveriesOf(id)).toEqual([]);
  });

  test('of an asset has no stream, and is not delivered to a webhook of a stream', async () => {
    const { id } = await createWebhook(teamId, { disabled: true });
    const { id: webhookOfStreamId } = await createWebhook(teamId, { streamId });
    const assetId = newId();
    const snapshot = {
      id: assetId,
      userId: teamId,
      name: 'x',
      createdAt: 1,
      playbackId: 'f3a1h2v9c8x7m6n5',
      status: { phase: 'ready', updatedAt: 1 },
      source: { type: 'directUpload' },
    } as const;
    await transact(ctx, (tx) =>
      emitEvent(tx, { name: 'asset.ready', teamId, payload: { asset: { id: assetId, snapshot } } }),
    );
    expect(await attemptsOf(id)).toMatchObject([{ event: 'asset.ready', resourceId: assetId }]);
    expect(await deliveriesOf(webhookOfStreamId)).toEqual([]);
    expect(await db.event.findFirst({ where: { name: 'asset.ready' } })).toMatchObject({
      streamId: null,
      sequence: null,
      payload: { payload: { asset: { id: assetId, snapshot } } },
    });
  });
});
