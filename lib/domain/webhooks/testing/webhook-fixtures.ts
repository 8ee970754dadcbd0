import { transact } from '@/lib/domain/context';
import { streamSnapshot, type StreamSnapshot } from '@/lib/contract/webhooks/event';
import { eventNames } from '@/lib/core/webhooks/events';
import type { Prisma } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { emitEvent } from '../emit-event';

export const testSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Functions that create webhooks and events in an empty test database, and read their deliveries. */
export function createWebhookFixtures(databaseUrl: string) {
  const fixtures = createLiveFixtures(databaseUrl, { settings: { egressAllowCidrs: ['127.0.0.1/32'] } });
  const { ctx, db } = fixtures;
  return {
    ...fixtures,
    /**
     * Creates a webhook that is subscribed to all events.
     * @param columns columns that differ
     */
    createWebhook: async (teamId: string, columns: Partial<Prisma.WebhookUncheckedCreateInput> = {}) => {
      const id = newId();
      const secretSealed = ctx.secrets.seal({ kind: 'webhook-secret', id, teamId }, testSecret);
      const url = 'http://127.0.0.1:9/hook';
      return db.webhook.create({
        data: { id, teamId, name: 'Bot', url, events: [...eventNames], secretSealed, ...columns },
      });
    },
    /**
     * Emits `stream.started` in its own transaction.
     * @param attempt number of attempts that its deliveries have already had
     * @returns the id of the event
     */
    emitStarted: (teamId: string, streamId: string, attempt = 0): Promise<string> =>
      transact(ctx, async (tx) => {
        const { eventSequence } = await tx.db.stream.update({
          where: { id: streamId },
          data: { eventSequence: { increment: 1 } },
        });
        const stream = snapshotOf(teamId, streamId);
        await emitEvent(tx, { name: 'stream.started', teamId, streamId, sequence: eventSequence, stream });
        const newest = { where: { streamId }, orderBy: { sequence: 'desc' } } as const;
        const { id } = await tx.db.event.findFirstOrThrow(newest);
        if (attempt > 0)
          await tx.db.webhookDelivery.updateMany({ where: { eventId: id }, data: { attempt } });
        return id;
      }),
    /** Deliveries of a webhook, oldest first. */
    deliveriesOf: (webhookId: string) =>
      db.webhookDelivery.findMany({ where: { webhookId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    /** Attempts of all deliveries of a webhook, grouped by delivery. */
    attemptsOf: (webhookId: string) =>
      db.webhookAttempt.findMany({
        where: { webhookId },
        orderBy: [{ deliveryId: 'asc' }, { attempt: 'asc' }],
      }),
  };
}

/** The stream in the events of `emitStarted`. */
export function snapshotOf(teamId: string, id: string): StreamSnapshot {
  return streamSnapshot.parse({
    id,
    kind: 'stream',
    userId: teamId,
    name: 'Town hall',
    createdAt: 1_767_225_600_000,
    playbackId: 'f3a1h2v9c8x7m6n5',
    profiles: [],
    isActive: true,
    lastSeen: 0,
    record: false,
    suspended: false,
    multistream: { targets: [] },
    sourceSegments: 0,
    transcodedSegments: 0,
    sourceSegmentsDuration: 0,
    transcodedSegmentsDuration: 0,
    sourceBytes: 0,
    transcodedBytes: 0,
    isHealthy: true,
    issues: null,
    lastTerminatedAt: null,
    backup: false,
    slate: false,
    slateSeconds: null,
    recordSlate: false,
    fallbackAfterMs: 3_000,
  });
}
