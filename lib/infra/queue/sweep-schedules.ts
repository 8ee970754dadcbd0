import { sweeps, type SweepName } from '@/lib/contract/jobs';

/** The part of a BullMQ queue that scheduling needs. */
interface SchedulingQueue {
  getJobSchedulers(): Promise<readonly { readonly key: string; readonly every?: number | undefined }[]>;
  removeJobScheduler(key: string): Promise<unknown>;
  upsertJobScheduler(key: string, repeat: { every: number }, template: Template): Promise<unknown>;
}

interface Template {
  name: string;
  data: { sweep: SweepName };
  opts: typeof sweepOptions;
}

/** A sweep has one attempt per period. Failed ones are kept for an hour (`age` in seconds), for the counts of failed jobs. */
const sweepOptions = { attempts: 1, removeOnComplete: true, removeOnFail: { age: 3_600, count: 100 } };

/**
 * Writes the schedules of all sweeps and removes others. Unchanged schedules keep their times.
 * @param withQueue runs a call to the queue with a timeout
 */
export async function scheduleSweeps(
  withQueue: <T>(work: (queue: SchedulingQueue) => Promise<T>) => Promise<T>,
): Promise<void> {
  const schedulers = await withQueue((queue) => queue.getJobSchedulers());
  for (const { key } of schedulers) {
    if (!(key in sweeps)) await withQueue((queue) => queue.removeJobScheduler(key));
  }
  const currentIntervalsMs = new Map(schedulers.map(({ key, every }) => [key, every]));
  for (const [name, intervalMs] of Object.entries(sweeps)) {
    if (currentIntervalsMs.get(name) === intervalMs) continue;
    const template = { name: 'sweep', data: { sweep: name as SweepName }, opts: sweepOptions };
    await withQueue((queue) => queue.upsertJobScheduler(name, { every: intervalMs }, template));
  }
}
