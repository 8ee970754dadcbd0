import { deleteAsset } from '@/lib/contract/asset-endpoints';
import { requestUpload } from '@/lib/contract/asset-work-endpoints';
import { call } from './call';
import type { UploadTarget } from './upload-sender';
import { forgetTransfer } from './upload-transfer';

/** Asks for an asset that waits for a file, and where to send that. @throws ApiError */
export async function requestUploadTarget(name: string): Promise<UploadTarget> {
  const { asset, task, tusEndpoint } = await call(requestUpload, { body: { name } });
  return { assetId: asset.id, taskId: task.id, endpoint: tusEndpoint, askedAt: asset.createdAt };
}

/** Takes an asset away whose file will not come. @throws ApiError */
export async function discardUpload(assetId: string): Promise<void> {
  await forgetTransfer(assetId);
  await call(deleteAsset, { params: { id: assetId } });
}
