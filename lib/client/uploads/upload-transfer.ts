import { call } from '@/lib/client/call';
import { deleteAsset, requestUpload } from '@/lib/contract/assets/asset-endpoints';
import type { StartTransfer, Transfer } from './tus-transfer';
import type { UploadTarget } from './upload-sender';

/** The client of the protocol is fetched with the first upload: most pages never need it. */
const load = () => import('./tus-transfer');

/** Sends by tus. */
export const startTransfer: StartTransfer = (file, assetId, endpoint, events) => {
  let transfer: Transfer | null = null;
  let stopped = false;
  load().then(
    ({ startTusTransfer }) => {
      if (!stopped) transfer = startTusTransfer(file, assetId, endpoint, events);
    },
    () => {
      if (!stopped) events.ended('interrupted', { fault: 'pageIncomplete', status: 0 });
    },
  );
  return {
    stop(forget) {
      stopped = true;
      transfer?.stop(forget);
    },
  };
};

/** Forgets the state of an upload that will not be resumed. */
async function forgetTransfer(assetId: string): Promise<void> {
  const { forgetTusTransfer } = await load();
  await forgetTusTransfer(assetId);
}

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
