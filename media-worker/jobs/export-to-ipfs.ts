import { Readable, Transform } from 'node:stream';
import type { IpfsCopy, WorkInput } from '@/lib/assets';
import type { PinningCredentials } from '@/lib/core/export-params';
import {
  defaultNftMetadata,
  mergeMetadata,
  type JsonObject,
  type NftTemplate,
} from '@/lib/core/nft-metadata';
import { ipfsKey } from '@/lib/core/storage-keys';
import { StorageError } from '@/lib/infra/storage';
import { contentId } from '../vod/content-id';
import { pinFile } from './pin-file';
import type { TaskJob } from './task-job';

export interface IpfsDestination {
  /** Null: it is kept here, and served by our own gateway. */
  readonly pinning: PinningCredentials | null;
  readonly nftMetadata: JsonObject;
  readonly template: NftTemplate;
}

/** Where a file can be fetched that a pinning service keeps. */
const publicGateway = 'https://ipfs.io/ipfs';

/** Share of the progress that the video has; the rest is a page of text. */
const videoShare = 0.95;

/** Puts the file, and the metadata that names it, into IPFS: at a pinning service, or kept here (specification §4.4). */
export async function exportToIpfs(
  job: TaskJob,
  input: WorkInput,
  { pinning, nftMetadata, template }: IpfsDestination,
): Promise<IpfsCopy> {
  const place = pinning ? pinned(job, pinning) : kept(job);
  const cid = await place.video(input);
  job.report(videoShare);
  const metadata = mergeMetadata(defaultNftMetadata(describe(job, input, cid), template), nftMetadata);
  const metadataCid = await place.text(Buffer.from(JSON.stringify(metadata)));
  return { ...place.at(cid), nftMetadata: place.at(metadataCid) };
}

function pinned(job: TaskJob, credentials: PinningCredentials) {
  return {
    at: (cid: string) => ({ cid, url: `ipfs://${cid}`, gatewayUrl: `${publicGateway}/${cid}` }),
    video: async (input: WorkInput) =>
      pinFile(job, credentials, {
        name: `${input.name}.mp4`,
        contentType: 'video/mp4',
        bytes: input.bytes,
        source: await reading(job, input),
      }),
    text: (bytes: Buffer) =>
      pinFile(job, credentials, {
        name: 'metadata.json',
        contentType: 'application/json',
        bytes: bytes.length,
        source: Readable.from([bytes]),
      }),
  };
}

function kept(job: TaskJob) {
  const { storage, settings } = job.ctx;
  return {
    at: (cid: string) => ({ cid, url: `ipfs://${cid}`, gatewayUrl: `${settings.cdnUrl}/ipfs/${cid}` }),
    video: async (input: WorkInput) => {
      const cid = await contentId(await reading(job, input));
      await storage.copy(input.sourceKey, ipfsKey(cid));
      return cid;
    },
    text: async (bytes: Buffer) => {
      const cid = await contentId([bytes]);
      await storage.put(ipfsKey(cid), bytes, { contentType: 'application/json' });
      return cid;
    },
  };
}

/** The file, telling how far it has been read. */
async function reading({ ctx, report, signal }: TaskJob, { sourceKey, bytes }: WorkInput): Promise<Readable> {
  const source = await ctx.storage.read(sourceKey);
  if (!source) throw new StorageError('missing', sourceKey);
  let read = 0;
  const counted = new Transform({
    signal,
    transform(chunk: Buffer, _encoding, callback) {
      read += chunk.length;
      report((videoShare * read) / Math.max(bytes, 1));
      callback(null, chunk);
    },
  });
  source.on('error', (error) => counted.destroy(error));
  counted.on('close', () => source.destroy());
  return source.pipe(counted);
}

function describe({ ctx }: TaskJob, { name, playbackId }: WorkInput, cid: string) {
  const { baseUrl, cdnUrl } = ctx.settings;
  return {
    name,
    playbackId,
    cid,
    imageUrl: `${cdnUrl}/asset/${playbackId}/poster.jpg`,
    pageUrl: `${baseUrl}/watch/${playbackId}`,
    playerUrl: `${baseUrl}/embed/${playbackId}`,
  };
}
