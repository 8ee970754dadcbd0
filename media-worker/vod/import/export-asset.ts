import {
  type InputAsset,
  startExport,
  completeExport,
  openExportSecrets,
  readInputAsset,
} from '@/lib/domain/assets';
import type { ExportRequest } from '@/lib/core/assets/export-params';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { containerOfFormat } from '@/lib/core/media/container';
import type { JsonObject, NftTemplate } from '@/lib/core/assets/nft-metadata';
import type { EgressReply } from '@/lib/infra/egress/egress';
import { EgressError } from '@/lib/infra/egress/egress-error';
import { headersForHop, nextHop } from '@/lib/infra/egress/egress-redirect';
import { StorageError } from '@/lib/infra/storage';
import { exportToIpfs } from '@/media-worker/vod/ipfs/export-to-ipfs';
import { sendBody } from '@/media-worker/vod/tasks/send-body';
import {
  RemoteFailure,
  TaskFailure,
  type TaskHandler,
  type TaskJob,
} from '@/media-worker/vod/tasks/task-job';

interface UrlDestination {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Redirects after which the same request is sent to the new URL. */
const repeatableRedirects = new Set([307, 308]);
const isTemporaryStatus = (status: number) => status === 408 || status === 429 || status >= 500;

/**
 * How long a second request waits, after its headers, for an answer before it sends the body: a server that rejects a file early
 * closes the connection, and its answer can be read only while no body is sent.
 */
const HOLD_MS = 2_000;

/**
 * Sends the file in one request with its Content-Length, again to the target of a 307 or 308. Any status other than
 * 2xx is a failure.
 * @throws RemoteFailure after 408, 429, 5xx or a lost connection, which are retried; TaskFailure otherwise
 */
async function exportToUrl(
  job: TaskJob,
  input: InputAsset,
  { url = '', method = 'PUT', headers = {} }: UrlDestination,
): Promise<void> {
  try {
    const firstHop = { url: new URL(url), method, body: undefined };
    let reply = await sendFile(job, input, { url, method, headers });
    const redirect = repeatableRedirects.has(reply.status)
      ? nextHop(firstHop, reply.status, reply.headers.location)
      : null;
    if (redirect) {
      const nextHeaders = headersForHop(headers, { firstUrl: firstHop.url, url: redirect.url, body: '' });
      const contentType = headers[contentTypeNameIn(headers)];
      const forwardedHeaders = { ...nextHeaders, ...omitUndefined({ 'content-type': contentType }) };
      reply = await sendFile(job, input, { url: redirect.url.href, method, headers: forwardedHeaders });
    }
    if (reply.status >= 200 && reply.status < 300) return;
    const message = `the destination answered ${reply.status}`;
    throw isTemporaryStatus(reply.status) ? new RemoteFailure(message) : new TaskFailure(message);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const message = `the file could not be sent: ${error.message}`;
    if (error.failure === 'bad_request' || error.failure === 'redirect') throw new TaskFailure(message);
    throw new RemoteFailure(message, { cause: error });
  }
}

/** The spelling of the `Content-Type` header in a list of headers; `content-type` if it is missing. */
const contentTypeNameIn = (headers: Readonly<Record<string, string>>): string =>
  Object.keys(headers).find((name) => name.toLowerCase() === 'content-type') ?? 'content-type';

/**
 * Sends one request, and a second one to read the answer if the server closed the connection early.
 * @returns the answer without its body
 */
async function sendFile(
  job: TaskJob,
  { sourceKey, bytes, spec }: InputAsset,
  { headers, ...request }: Required<UrlDestination>,
): Promise<EgressReply> {
  const contentTypeName = contentTypeNameIn(headers);
  const contentTypeHeader =
    contentTypeName in headers ? {} : { [contentTypeName]: containerOfFormat(spec.format).contentType };
  const send = async (hold: { readonly holdMs?: number } = {}) => {
    const source = await job.ctx.storage.read(sourceKey);
    if (!source) throw new StorageError('missing', sourceKey);
    try {
      const reply = await sendBody(job, {
        ...request,
        ...hold,
        bytes,
        body: source,
        headers: { ...headers, ...contentTypeHeader },
        onSent: (sentBytes) => job.report(sentBytes / Math.max(bytes, 1)),
      });
      reply.body.on('error', () => undefined).destroy();
      return reply;
    } finally {
      source.destroy();
    }
  };
  return send().catch((error: unknown) => {
    if (error instanceof EgressError && error.failure === 'interrupted') return send({ holdMs: HOLD_MS });
    throw error;
  });
}

/** Exports the file of an asset to a destination chosen by its owner. */
export const exportAssetJob: TaskHandler = async (job) => {
  const { ctx, task } = job;
  const input = await readInputAsset(ctx, task);
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
  const { copy, ipfsBytes, notice } = await exportToIpfs(job, input, options);
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
  await completeExport(ctx, task, { ipfs: output }, { copy, ipfsBytes });
};
