import { forgetEndedSessions } from '@/lib/accounts';
import { forgetOldDelivered } from '@/lib/metering';
import type { WorkerContext } from '@/lib/context';
import { sweeps, type SweepName } from '@/lib/contract/jobs';
import { forgetOldRequests } from '@/lib/idempotency';
import { removeStaleNodes } from '@/lib/nodes';
import { removeRecordings } from '@/lib/recordings';
import { forgetOldHealth, forgetOldViewers, releaseDeadNodes } from '@/lib/streams';
import { forgetOldAttempts } from '@/lib/webhooks';
import type { Place } from '../process/presence';
import type { JobHandler } from '../process/workers';
import type { AddJobs } from '@/media-worker/process/nudges';
import { searchOrphans, tidyStorage } from './tidy-storage';

/** Nodes are judged only after the database has answered for so long: a node needs it to say that it is alive. */
const steadyMs = 12_000;
const staleMs = 30_000;

type Sweeps = Readonly<Record<SweepName, () => Promise<unknown>>>;

/** What each sweep does. All may run twice at the same moment. */
export function sweepsOf(
  ctx: WorkerContext,
  jobs: readonly Pick<AddJobs, 'all'>[],
  place: Pick<Place, 'steadyMs'>,
): Sweeps {
  return {
    due: () => Promise.all([endDeadNodes(ctx, place), ...jobs.map((one) => one.all())]),
    recordings: () => removeRecordings(ctx),
    forgetting: async () => {
      await forgetOldRequests(ctx);
      await forgetOldHealth(ctx);
      await forgetOldViewers(ctx);
      await forgetOldDelivered(ctx);
      await forgetEndedSessions(ctx);
    },
    storage: () => tidyStorage(ctx),
    orphans: () => searchOrphans(ctx),
    attempts: () => forgetOldAttempts(ctx),
  };
}

/** Works on the queue `upkeep`. One sweep of a name at a time: a period that finds it running is left out. */
export function upkeep(all: Sweeps): JobHandler<'upkeep'> {
  const running = new Set<SweepName>();
  return {
    concurrency: Object.keys(sweeps).length,
    // The next period does not wait for the sweep of a killed worker.
    unhurried: true,
    async run({ sweep }) {
      if (running.has(sweep)) return;
      running.add(sweep);
      try {
        await all[sweep]();
      } finally {
        running.delete(sweep);
      }
    },
  };
}

/** Finishes what a dead process left behind: its streams become idle. */
async function endDeadNodes(ctx: WorkerContext, place: Pick<Place, 'steadyMs'>): Promise<void> {
  if (place.steadyMs() < steadyMs) return;
  const released = await releaseDeadNodes(ctx);
  if (released > 0) ctx.log.warn({ released }, 'marked streams of dead nodes idle');
  await removeStaleNodes(ctx, staleMs);
}
