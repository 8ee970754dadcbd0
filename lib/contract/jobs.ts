import { hourMs, dayMs } from '@/lib/core/units';
import { z } from 'zod';

/**
 * The sweeps of the whole service and their periods in milliseconds. Each runs once per period, on any free node
 * (media-worker/maintenance/sweeps.ts has their work).
 */
export const sweeps = {
  /** Ends the streams of dead nodes, reports late streams, and adds a job for each due row without one. */
  due: 10_000,
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
  storage: 60_000,
  orphans: dayMs,
  attempts: hourMs,
  /** Makes the missing indexes of assets whose HLS is stored as segments. */
  indexes: 60_000,
} as const;
export type SweepName = keyof typeof sweeps;

/** A run of a task. A job whose attempt differs from that of the row does nothing. */
const task = z.strictObject({ taskId: z.uuid(), attempt: z.int().nonnegative() });

/**
 * One sixteenth of all webhooks: those whose id ends with this digit. A process delivers for a whole shard, so the load
 * of the queue does not grow with the number of webhooks.
 */
export type Shard = string;
const shard = z.string().regex(/^[0-9a-f]$/);
export const shardCount = 16;

/** In SQL: `right("webhookId"::text, 1)`. */
export const shardOf = (webhookId: string): Shard => webhookId.slice(-1);

/**
 * The queues and the data of their jobs: ids only. The row is the source of truth: a job reads it again, and is harmless
 * when it runs twice (docs/adr/0009-bullmq-carries-the-work.md).
 */
export const jobs = {
  /** Runs a task that waits for remote servers. */
  transfers: task,
  /** Runs a task that reads and writes local files. */
  tasks: task,
  /** Runs a task that encodes. */
  encodings: task,
  storyboards: z.strictObject({ assetId: z.uuid() }),
  /** Encodes one file of a rendition for a viewer: `init.mp4` or a segment. */
  renditions: z.strictObject({
    /** The files folder of the asset (`Asset.filesId`). */
    assetId: z.uuid(),
    rendition: z.string().regex(/^\w{1,64}$/),
    file: z.string().regex(/^[\w-][\w.-]{0,63}$/),
  }),
  recordings: z.strictObject({ sessionId: z.uuid() }),
  /** Delivers the due deliveries of a shard. */
  deliveries: z.strictObject({ shard }),
  /** Publishes the test pattern to a stream while its row requests one. */
  patterns: z.strictObject({ streamId: z.uuid() }),
  upkeep: z.strictObject({ sweep: z.enum(Object.keys(sweeps) as SweepName[]) }),
};

export type QueueName = keyof typeof jobs;
export type JobData<N extends QueueName> = z.output<(typeof jobs)[N]>;

export const queueNames = Object.keys(jobs) as QueueName[];
