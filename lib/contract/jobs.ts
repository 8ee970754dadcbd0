import { hourMs, dayMs } from '@/lib/core/units';
import { z } from 'zod';

/**
 * The sweeps of the whole service and their periods in milliseconds: each runs once per period, on whichever node is free
 * (media-worker/maintenance/sweeps.ts says what they do).
 */
export const sweeps = {
  /** Ends the streams of dead nodes, reports late ones, and adds a job for each row that is due and has none. */
  due: 10_000,
  recordings: 60_000,
  /** Segments that viewers can no longer go back to. */
  dvr: 60_000,
  /** Rows that are hours old or older. */
  forgetting: 600_000,
  /** Minutes of audiences become hours, and hours days. */
  audience: 600_000,
  /** Says why viewers stalled in the last minutes. */
  stalls: 10_000,
  /** Sends the mails that are due. */
  mails: 5_000,
  storage: 60_000,
  orphans: dayMs,
  attempts: hourMs,
  /** Indexes of assets whose HLS is a copy. */
  indexes: 60_000,
} as const;
export type SweepName = keyof typeof sweeps;

/** A run of a task. A job whose attempt differs from the row's does nothing. */
const task = z.strictObject({ taskId: z.uuid(), attempt: z.int().nonnegative() });

/**
 * One sixteenth of all webhooks: those whose id ends with this digit. A process works on the deliveries of a whole
 * shard, so the queue's load does not grow with the number of webhooks.
 */
export type Shard = string;
const shard = z.string().regex(/^[0-9a-f]$/);
export const shardCount = 16;

/** In SQL: `right("webhookId"::text, 1)`. */
export const shardOf = (webhookId: string): Shard => webhookId.slice(-1);

/**
 * The queues and the data of their jobs: ids only. The row is the source of truth, so a job reads it again and is
 * harmless when it runs twice (docs/adr/0009-bullmq-carries-the-work.md).
 */
export const jobs = {
  /** Run a task that waits for remote servers. */
  transfers: task,
  /** Run a task that reads and writes local files. */
  tasks: task,
  /** Run a task that encodes. */
  encodings: task,
  /** Make the storyboard of an asset. */
  storyboards: z.strictObject({ assetId: z.uuid() }),
  /** Encode one file of a rendition for a viewer: `init.mp4` or a segment. */
  renditions: z.strictObject({
    /** The folder of the files that it is made of (`Asset.filesId`). */
    assetId: z.uuid(),
    rendition: z.string().regex(/^\w{1,64}$/),
    file: z.string().regex(/^[\w-][\w.-]{0,63}$/),
  }),
  /** Finish a session. */
  recordings: z.strictObject({ sessionId: z.uuid() }),
  /** Deliver what is due for the webhooks of a shard. */
  deliveries: z.strictObject({ shard }),
  /** Publish the test card to a stream as long as its row asks for it. */
  patterns: z.strictObject({ streamId: z.uuid() }),
  upkeep: z.strictObject({ sweep: z.enum(Object.keys(sweeps) as SweepName[]) }),
};

export type QueueName = keyof typeof jobs;
export type JobData<N extends QueueName> = z.output<(typeof jobs)[N]>;

export const queueNames = Object.keys(jobs) as QueueName[];
