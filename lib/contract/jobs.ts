import { z } from 'zod';

/**
 * What a job carries: ids only. The row is the truth and the job a nudge, so a job reads its row again, and
 * doing it twice is harmless (ADR 3).
 */
export const jobs = {
  /** Finishes what a dead process or a lost nudge left behind. */
  sweep: z.strictObject({}),
} satisfies Record<string, z.ZodObject>;

export type JobName = keyof typeof jobs;
export type JobData<N extends JobName> = z.output<(typeof jobs)[N]>;
