import { type WorkInput, startExport, completeExport, openExportSecrets, readWorkInput } from '@/lib/assets';
import type { ExportRequest } from '@/lib/core/assets/export-params';
import { containerNamed } from '@/lib/core/media/container';
import type { JsonObject, NftTemplate } from '@/lib/core/assets/nft-metadata';
import { EgressError } from '@/lib/infra/egress/egress-redirect';
import { StorageError } from '@/lib/infra/storage';
import { exportToIpfs } from '@/media-worker/ipfs/export-to-ipfs';
import { sendBody } from '@/media-worker/tasks/send-body';
import { RemoteFailure, TaskFailure, type TaskHandler, type TaskJob } from '@/media-worker/tasks/task-job';

interface UrlDestination {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const temporary = (status: number) => status === 408 || status === 429 || status >= 500;

/**
 * Sends the file in one request with its Content-Length. Any status other than 2xx is a failure.
 * @throws RemoteFailure after 408, 429, 5xx or a lost connection, which are retried; TaskFailure otherwise
 */
async function exportToUrl(
  job: TaskJob,
  { sourceKey, bytes, spec }: WorkInput,
  { url = '', method = 'PUT', headers = {} }: UrlDestination,
): Promise<void> {
  const source = await job.ctx.storage.read(sourceKey);
  if (!source) throw new StorageError('missing', sourceKey);
  const own = { 'content-length': String(bytes), 'content-type': containerNamed(spec.format).contentType };
  const theirs = Object.entries(headers).filter(([name]) => !(name.toLowerCase() in own));
  try {
    const reply = await sendBody(job, {
      url,
      method,
      headers: { ...Object.fromEntries(theirs), ...own },
      body: source,
      bytes,
      onSent: (sent) => job.report(sent / Math.max(bytes, 1)),
    });
    reply.body.on('error', () => undefined).destroy();
    if (reply.status >= 200 && reply.status < 300) return;
    const message = `the destination answered ${reply.status}`;
    throw temporary(reply.status) ? new RemoteFailure(message) : new TaskFailure(message);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const message = `the file could not be sent: ${error.message}`;
    if (error.failure === 'bad_request' || error.failure === 'redirect') throw new TaskFailure(message);
    throw new RemoteFailure(message, { cause: error });
  } finally {
    source.destroy();
  }
}

/** Exports the file of an asset to the destination its owner chose. */
export const exportAssetJob: TaskHandler = async (job) => {
  const { ctx, task } = job;
  const input = await readWorkInput(ctx, task);
  if (!input) throw new TaskFailure('the asset to export is gone');
  const { custom, ipfs } = (task.params as { export: ExportRequest<JsonObject> }).export;
  const secrets = openExportSecrets(ctx, task);
  await startExport(ctx, task);
  if (custom) {
    await exportToUrl(job, input, { ...custom, ...secrets });
    // The response body is not stored: it could come from a private network.
    await completeExport(ctx, task, { custom: { url: custom.url } });
    return;
  }
  const template: NftTemplate = ipfs?.nftMetadataTemplate === 'file' ? 'file' : 'player';
  const pinning = secrets.pinning ?? null;
  const options = { pinning, nftMetadata: ipfs?.nftMetadata ?? {}, template };
  const { copy, keptBytes, notice } = await exportToIpfs(job, input, options);
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
