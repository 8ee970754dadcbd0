import { reserveStorage } from '@/lib/domain/quotas';
import { TaskFailure, type TaskJob } from '@/media-worker/vod/tasks/task-job';

/**
 * Takes room for a file of a task in the quota of its team, before it is kept as an asset.
 * @throws TaskFailure if there is none
 */
export async function takeRoom({ ctx }: TaskJob, assetId: string, bytes: number): Promise<void> {
  const refusal = await reserveStorage(ctx, { assetId, bytes });
  if (refusal) throw new TaskFailure(refusal.message);
}
