import type { Database } from '@/lib/infra/db';
import { createLogger } from '@/lib/infra/logger';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';

/** Polls the progress of all tasks and assets, as an API client does. */
export function watchProgress(db: Database) {
  const valuesById = new Map<string, number[]>();
  const polling = runPeriodically(20, 'progress', createLogger('test', 'silent'), async () => {
    const select = { id: true, progress: true };
    for (const rows of [await db.task.findMany({ select }), await db.asset.findMany({ select })]) {
      for (const { id, progress } of rows) {
        const values = valuesById.get(id) ?? [];
        if (values.at(-1) !== (progress ?? 0)) valuesById.set(id, [...values, progress ?? 0]);
      }
    }
  });
  return {
    /**
     * Every distinct value, in order.
     * @param id of a task or an asset
     */
    valuesOf: (id: string): readonly number[] => valuesById.get(id) ?? [],
    /** The values of each task and asset whose progress has fallen. */
    valuesOfFallingProgress: () =>
      [...valuesById.values()].filter((values) => values.some((value, n) => value < (values[n - 1] ?? 0))),
    close: () => polling.close(),
  };
}
