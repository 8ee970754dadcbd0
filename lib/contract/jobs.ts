import { HOUR_MS, DAY_MS } from '@/lib/core/units';
import { z } from 'zod';

/**
 * The sweeps of the whole service and their periods in milliseconds. Each sweep runs once per period, on any free node.
 * Their work is in media-worker/maintenance/sweeps.ts.
 */
export const sweeps = {
  /** Ends the streams of dead nodes, reports late streams, and adds a job for each due row without one. */
  due: 10_000,
  /** Deletes the files of recordings that are no longer needed. */
  recordings: 60_000,
  /** Deletes segments that have left the DVR window. */
  dvr: 60_000,
  /** Deletes expired rows. */
  forgetting: 600_000,
  /** Sums audience minutes to hours, and hours to days. */
  audience: 600_000,
  /** Determines why viewers stalled in the last minutes. */
  stalls: 10_000,
  /** Sends the mails that are due. */
  mails: 5_000,
  /** Deletes the files of deleted assets, teams and accounts, unfinished uploads, and renditions that are rarely watched. */
  storage: 60_000,
  /** Deletes stored files that no row names. */
  orphans: DAY_MS,
  /** Deletes old events and attempts of webhooks, and the deliveries of deleted webhooks. */
  attempts: HOUR_MS,
  /** Creates missing indexes of assets whose HLS is stored as segments. */
  indexes: 60_000,
} as const;
export type SweepName = keyof typeof sweeps;

/** Job of one attempt of a task. A job does nothing if the row of the task has another attempt. */
const taskJob = z.strictObject({ taskId: z.uuid(), attempt: z.int().nonnegative() });

/**
 * A sixteenth of all webhooks: those whose id ends with a hexadecimal digit, which is the name of the shard. One job
 * delivers for a whole shard, so the load of the queue does not grow with the number of webhooks.
 */
export type Shard = string;
const shard = z.string().regex(/^[0-9a-f]$/);
export const SHARD_COUNT = 16;

/** The shard of a webhook. In SQL, it is `right("webhookId"::text, 1)`. */
export const shardOf = (webhookId: string): Shard => webhookId.slice(-1);

/**
 * The queues and the data of their jobs, which only identify the work. The row in the database describes it: a job reads the
 * row, and is harmless when it runs twice (docs/adr/0009-bullmq-carries-the-work.md).
 */
export const jobs = {
  /** Attempts of tasks in the lane `transfer`. */
  transfers: taskJob,
  /** Attempts of tasks in the lane `local`. */
  tasks: taskJob,
  /** Attempts of tasks in the lane `encode`. */
  encodings: taskJob,
  storyboards: z.strictObject({ assetId: z.uuid() }),
  /** Encodes one file of a rendition, `init.mp4` or a segment, for a viewer who waits for it. */
  renditions: z.strictObject({
    /** Id of the files of the asset (`Asset.filesId`), not the id of the asset. */
    assetId: z.uuid(),
    rendition: z.string().regex(/^\w{1,64}$/),
    file: z.string().regex(/^[\w-][\w.-]{0,63}$/),
  }),
  /** Makes the files and the asset of the recording of an ended session. */
  recordings: z.strictObject({ sessionId: z.uuid() }),
  /** Starts the attempts of the due deliveries of a shard. */
  deliveries: z.strictObject({ shard }),
  /** Publishes the test pattern to a stream while its row requests one. */
  patterns: z.strictObject({ streamId: z.uuid() }),
  /** Runs one sweep. */
  upkeep: z.strictObject({ sweep: z.enum(Object.keys(sweeps) as SweepName[]) }),
};

export type QueueName = keyof typeof jobs;
export type JobData<N extends QueueName> = z.output<(typeof jobs)[N]>;

export const queueNames = Object.keys(jobs) as QueueName[];
