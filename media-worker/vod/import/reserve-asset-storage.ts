import { reserveStorage } from '@/lib/domain/quotas';
import { TaskFailure, type TaskJob } from '@/media-worker/vod/tasks/task-job';

/**
 * Reserves quota of the team for a file before it is kept as an asset.
 * @throws TaskFailure if the quota is used up
 */
export async function reserveAssetStorage({ ctx }: TaskJob, assetId: string, bytes: number): Promise<void> {
  const rejection = await reserveStorage(ctx, { assetId, bytes });
  if (rejection) throw new TaskFailure(rejection.message);
}
