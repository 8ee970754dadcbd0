import { beginExport, completeExport, openExportSecrets, readWorkInput } from '@/lib/assets';
import type { ExportRequest } from '@/lib/core/export-params';
import type { JsonObject, NftTemplate } from '@/lib/core/nft-metadata';
import { exportToIpfs } from './export-to-ipfs';
import { exportToUrl } from './export-to-url';
import { TaskFailure, type TaskHandler } from './task-job';

/** Exports the file of an asset to the destination its owner chose. */
export const exportAssetJob: TaskHandler = async (job) => {
  const { ctx, task } = job;
  const input = await readWorkInput(ctx, task);
  if (!input) throw new TaskFailure('the asset to export is gone');
  const { custom, ipfs } = (task.params as { export: ExportRequest<JsonObject> }).export;
  const secrets = openExportSecrets(ctx, task);
  await beginExport(ctx, task);
  if (custom) {
    await exportToUrl(job, input, { ...custom, ...secrets });
    // Of the answer only that it was a good one: its body could be a page of somebody's inner network.
    await completeExport(ctx, task, { custom: { url: custom.url } });
    return;
  }
  const template: NftTemplate = ipfs?.nftMetadataTemplate === 'file' ? 'file' : 'player';
  const pinning = secrets.pinning ?? null;
  const wanted = { pinning, nftMetadata: ipfs?.nftMetadata ?? {}, template };
  const { copy, keptBytes, notice } = await exportToIpfs(job, input, wanted);
  const { nftMetadata } = copy;
  const output = {
    videoFileCid: copy.cid,
    videoFileUrl: copy.url,
    videoFileGatewayUrl: copy.gatewayUrl,
    nftMetadataCid: nftMetadata.cid,
    nftMetadataUrl: nftMetadata.url,
    nftMetadataGatewayUrl: nftMetadata.gatewayUrl,
    ...(notice === null ? {} : { notice }),
  };
  await completeExport(ctx, task, { ipfs: output }, { copy, keptBytes });
};
