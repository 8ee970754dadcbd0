import { ApiCallError, callEndpoint } from '@/lib/client/call';
import { assetNameOfFile } from '@/lib/core/assets/upload-state';
import type { StartTransfer, Transfer } from './tus-transfer';
import type { UploadEntry } from './upload-list';
import type { UploadTarget } from './upload-sender';
import { deleteAsset, requestUpload, replaceAsset } from '@/lib/client/routes/assets-routes';
import { cancelTask } from '@/lib/client/routes/tasks-routes';

/** The tus client is loaded with the first upload, because most pages never need it. */
const loadTusTransfer = () => import('./tus-transfer');

/** Sends a file once the tus client is loaded. */
export const startTransfer: StartTransfer = (file, taskId, endpoint, events) => {
  let transfer: Transfer | null = null;
  let isStopped = false;
  loadTusTransfer().then(
    ({ startTusTransfer }) => {
      if (!isStopped) transfer = startTusTransfer(file, taskId, endpoint, events);
    },
    () => {
      if (!isStopped) events.onEnd('interrupted', { fault: 'pageIncomplete', status: 0 });
    },
  );
  return {
    stop(deleteUpload) {
      isStopped = true;
      transfer?.stop(deleteUpload);
    },
  };
};

/**
 * Requests an asset that waits for a file, or a replacement, with its upload URL.
 * @throws ApiCallError
 */
export async function requestUploadTarget({
  name,
  replaces,
}: Pick<UploadEntry, 'name' | 'replaces'>): Promise<UploadTarget> {
  const { asset, task, tusEndpoint } =
    replaces === null
      ? await callEndpoint(requestUpload, { body: { name: assetNameOfFile(name), convert: true } })
      : await callEndpoint(replaceAsset, { params: { id: replaces }, body: { convert: true } });
  if (tusEndpoint === undefined) throw new ApiCallError(0, ['The server returned no upload URL.']);
  return { assetId: asset.id, taskId: task.id, endpoint: tusEndpoint, askedAt: task.createdAt };
}

/**
 * Deletes the asset that waits for a file, or cancels the replacement.
 * @throws ApiCallError
 */
export async function cancelUpload(
  { assetId, taskId }: UploadTarget,
  { replaces }: Pick<UploadEntry, 'replaces'>,
): Promise<void> {
  const { deleteTusRecord } = await loadTusTransfer();
  await deleteTusRecord(taskId);
  await (replaces === null
    ? callEndpoint(deleteAsset, { params: { id: assetId } })
    : callEndpoint(cancelTask, { params: { id: taskId } }));
}
