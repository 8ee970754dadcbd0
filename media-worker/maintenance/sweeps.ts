import { DAY_MS } from '@/lib/core/units';
import { expireRevocations } from '@/lib/domain/access';
import {
  deleteExpiredSessions,
  expireLinks,
  expireInvitations,
  expireRateLimits,
  expireChallenges,
} from '@/lib/domain/accounts';
import { expirePlaybackReports, explainStalls, mergeOldAudience } from '@/lib/domain/audience';
import { expireDeliveredDays } from '@/lib/domain/metering';
import type { WorkerContext } from '@/lib/domain/context';
import { sweeps, type SweepName } from '@/lib/contract/jobs';
import { expireRequests } from '@/lib/domain/idempotency';
import { sendDueMails } from '@/lib/domain/mail';
import { expireNodes } from '@/lib/domain/nodes';
import {
  expireHealthSamples,
  expireViewers,
  releaseStreamsOfDeadNodes,
  reportLateStreams,
  reportStalling,
  reportWarnings,
} from '@/lib/domain/streams';
import { expireWebhookLog } from '@/lib/domain/webhooks';
import type { Mailer } from '@/lib/infra/mail/mailer';
import type { Presence } from '@/media-worker/kit/process/presence';
import type { JobHandler } from '@/media-worker/kit/process/workers';
import type { AddJobs } from '@/media-worker/kit/process/job-notifications';
import type { OlderAssetIndexer } from './index-older-assets';
import { deleteOldFiles } from './delete-old-files';

/** Nodes are declared dead only after the database has answered for this long, because nodes need it for their heartbeat. */
const MIN_STEADY_MS = 12_000;
/** Time for which operators see a node that no longer responds. */
const DEAD_NODE_VISIBLE_MS = DAY_MS;

type Sweeps = Readonly<Record<SweepName, () => Promise<unknown>>>;

/** All sweeps. A sweep may run twice at the same time. */
export function createSweeps(
  ctx: WorkerContext,
  jobs: readonly Pick<AddJobs, 'addAll'>[],
  {
    presence,
    olderAssets,
    mailer,
  }: {
    readonly presence: Pick<Presence, 'steadyMs'>;
    readonly olderAssets: Pick<OlderAssetIndexer, 'run'>;
    readonly mailer: Pick<Mailer, 'send'> | null;
  },
): Sweeps {
  return {
    due: () =>
      Promise.all([
        endDeadNodes(ctx, presence),
        reportLateStreams(ctx),
        reportWarnings(ctx),
        ...jobs.map((job) => job.addAll()),
      ]),
    recordings: () => deleteOldFiles(ctx, 'recordings'),
    dvr: () => deleteOldFiles(ctx, 'dvr'),
    forgetting: async () => {
      await expireRequests(ctx);
      await expireHealthSamples(ctx);
      await expireViewers(ctx);
      await expireDeliveredDays(ctx);
      await expirePlaybackReports(ctx);
      await deleteExpiredSessions(ctx);
      await expireLinks(ctx);
      await expireChallenges(ctx);
      await expireInvitations(ctx);
      await expireRateLimits(ctx);
      await expireRevocations(ctx);
    },
    audience: () => mergeOldAudience(ctx),
    stalls: async () => {
      await explainStalls(ctx);
      await reportStalling(ctx);
    },
    mails: async () => {
      if (mailer) await sendDueMails(ctx, mailer);
    },
    storage: () => deleteOldFiles(ctx, 'storage'),
    orphans: () => deleteOldFiles(ctx, 'orphans'),
    attempts: () => expireWebhookLog(ctx),
    indexes: () => olderAssets.run(),
  };
}

/** Creates the handler of the queue `upkeep`. A sweep that is still running in this process is skipped. */
export function createMaintenanceHandler(handlers: Sweeps): JobHandler<'upkeep'> {
  const runningSweeps = new Set<SweepName>();
  return {
    concurrency: Object.keys(sweeps).length,
    // Low priority, because the next period does not wait for the sweep of a killed worker.
    isLowPriority: true,
    async run({ sweep }) {
      if (runningSweeps.has(sweep)) return;
      runningSweeps.add(sweep);
      try {
        await handlers[sweep]();
      } finally {
        runningSweeps.delete(sweep);
      }
    },
  };
}

/** Marks the streams of dead processes idle, and deletes nodes that have not responded for a day. */
async function endDeadNodes(ctx: WorkerContext, presence: Pick<Presence, 'steadyMs'>): Promise<void> {
  if (presence.steadyMs() < MIN_STEADY_MS) return;
  const releasedCount = await releaseStreamsOfDeadNodes(ctx);
  if (releasedCount > 0) ctx.log.warn({ released: releasedCount }, 'marked streams of dead nodes idle');
  await expireNodes(ctx, DEAD_NODE_VISIBLE_MS);
}
