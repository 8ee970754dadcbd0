import { dayMs } from '@/lib/core/units';
import { forgetRevoked } from '@/lib/domain/access';
import {
  forgetEndedSessions,
  forgetExpiredLinks,
  forgetOldInvitations,
  forgetRateLimits,
  forgetUsedChallenges,
} from '@/lib/domain/accounts';
import { explainStalls, thinAudience } from '@/lib/domain/audience';
import { forgetOldDelivered } from '@/lib/domain/metering';
import type { WorkerContext } from '@/lib/domain/context';
import { sweeps, type SweepName } from '@/lib/contract/jobs';
import { forgetOldRequests } from '@/lib/domain/idempotency';
import { removeStaleNodes } from '@/lib/domain/nodes';
import { removeRecordings, trimDvr } from '@/lib/domain/recordings';
import {
  forgetOldHealth,
  forgetOldViewers,
  releaseDeadNodes,
  reportLateStreams,
  reportStalling,
} from '@/lib/domain/streams';
import { deleteOldAttempts } from '@/lib/domain/webhooks';
import type { Presence } from '@/media-worker/kit/process/presence';
import type { JobHandler } from '@/media-worker/kit/process/workers';
import type { AddJobs } from '@/media-worker/kit/process/job-notifications';
import type { OlderAssets } from './index-older-assets';
import { searchOrphans, tidyStorage } from './tidy-storage';

/** Nodes are only declared dead after the database has answered for this long, because nodes need it for their heartbeat. */
const steadyMs = 12_000;
/** So long operators see nodes that no longer respond. */
const staleMs = dayMs;

type Sweeps = Readonly<Record<SweepName, () => Promise<unknown>>>;

/** The sweeps. Each may run twice at the same time. */
export function sweepsOf(
  ctx: WorkerContext,
  jobs: readonly Pick<AddJobs, 'all'>[],
  {
    presence,
    older,
  }: { readonly presence: Pick<Presence, 'steadyMs'>; readonly older: Pick<OlderAssets, 'run'> },
): Sweeps {
  return {
    due: () =>
      Promise.all([endDeadNodes(ctx, presence), reportLateStreams(ctx), ...jobs.map((job) => job.all())]),
    recordings: () => removeRecordings(ctx),
    dvr: () => trimDvr(ctx),
    forgetting: async () => {
      await forgetOldRequests(ctx);
      await forgetOldHealth(ctx);
      await forgetOldViewers(ctx);
      await forgetOldDelivered(ctx);
      await forgetEndedSessions(ctx);
      await forgetExpiredLinks(ctx);
      await forgetUsedChallenges(ctx);
      await forgetOldInvitations(ctx);
      await forgetRateLimits(ctx);
      await forgetRevoked(ctx);
    },
    audience: () => thinAudience(ctx),
    stalls: async () => {
      await explainStalls(ctx);
      await reportStalling(ctx);
    },
    storage: () => tidyStorage(ctx),
    orphans: () => searchOrphans(ctx),
    attempts: () => deleteOldAttempts(ctx),
    indexes: () => older.run(),
  };
}

/** Handler of the queue `upkeep`. A sweep that is still running is skipped. */
export function upkeep(handlers: Sweeps): JobHandler<'upkeep'> {
  const running = new Set<SweepName>();
  return {
    concurrency: Object.keys(sweeps).length,
    // The next period does not wait for the sweep of a killed worker.
    isLowPriority: true,
    async run({ sweep }) {
      if (running.has(sweep)) return;
      running.add(sweep);
      try {
        await handlers[sweep]();
      } finally {
        running.delete(sweep);
      }
    },
  };
}

/** Marks the streams of dead processes idle. */
async function endDeadNodes(ctx: WorkerContext, presence: Pick<Presence, 'steadyMs'>): Promise<void> {
  if (presence.steadyMs() < steadyMs) return;
  const releasedCount = await releaseDeadNodes(ctx);
  if (releasedCount > 0) ctx.log.warn({ released: releasedCount }, 'marked streams of dead nodes idle');
  await removeStaleNodes(ctx, staleMs);
}
