import { once } from 'node:events';
import { PassThrough, Readable, Transform } from 'node:stream';
import { storeIpfsBlocks, type IpfsCopy, type InputAsset } from '@/lib/domain/assets';
import type { PinningCredentials } from '@/lib/core/assets/export-params';
import {
  createNftMetadata,
  mergeMetadata,
  type JsonObject,
  type NftTemplate,
} from '@/lib/core/assets/nft-metadata';
import { ipfsArchiveKey, ipfsKey } from '@/lib/core/storage-keys';
import { StorageError } from '@/lib/infra/storage';
import { createArchiveHead, listContentBlocks } from './content-archive';
import { computeContentTree, type ContentTree } from './content-id';
import { type FileToPost, addToNode, pinFile } from './pin-file';
import type { TaskJob } from '@/media-worker/vod/tasks/task-job';

export interface IpfsDestination {
  /** Null if the file stays on this node, whose own gateway serves it. */
  readonly pinning: PinningCredentials | null;
  readonly nftMetadata: JsonObject;
  readonly template: NftTemplate;
}

export interface IpfsExport {
  readonly copy: IpfsCopy;
  /** Bytes stored for the export. */
  readonly ipfsBytes: number;
  /** A notice for the owner, or null. */
  readonly notice: string | null;
}

/** URL of the public gateway for files at a pinning service. */
const publicGateway = 'https://ipfs.io/ipfs';

/** Fraction of the progress for the video; the rest is for the metadata. */
const VIDEO_FRACTION = 0.95;

/** Publishes the file and its metadata to IPFS, through a pinning service or from this node. */
export async function exportToIpfs(
  job: TaskJob,
  input: InputAsset,
  { pinning, nftMetadata, template }: IpfsDestination,
): Promise<IpfsExport> {
  const target = pinning ? createPinningTarget(job, pinning) : createLocalTarget(job);
  const { name, bytes } = input;
  const file = { name: `${name}.mp4`, contentType: 'video/mp4', bytes, source: await openSource(job, input) };
  const video = await target.put(file, (key) => job.ctx.storage.copy(input.sourceKey, key));
  job.report(VIDEO_FRACTION);
  const metadata = mergeMetadata(
    createNftMetadata(nftDetailsOf(job, input, video.cid), template),
    nftMetadata,
  );
  const metadataBytes = Buffer.from(JSON.stringify(metadata));
  const metadataFile = { name: 'metadata.json', contentType: 'application/json' };
  const metadataResult = await target.put(
    { ...metadataFile, bytes: metadataBytes.length, source: Readable.from([metadataBytes]) },
    (key) => job.ctx.storage.put(key, metadataBytes, { contentType: metadataFile.contentType }),
  );
  const copy = { ...target.copyOf(video.cid), nftMetadata: target.copyOf(metadataResult.cid) };
  return { copy, ipfsBytes: video.ipfsBytes + metadataResult.ipfsBytes, notice: video.notice };
}

interface PutResult {
  readonly cid: string;
  readonly ipfsBytes: number;
  readonly notice: string | null;
}

interface IpfsTarget {
  readonly copyOf: (cid: string) => Omit<IpfsCopy, 'nftMetadata'>;
  /**
   * Publishes a file.
   * @param storeUnder stores the bytes of the file under a key
   */
  readonly put: (file: FileToPost, storeUnder: (key: string) => Promise<unknown>) => Promise<PutResult>;
}

/**
 * Creates the target for a pinning service. The service may split the file differently and return another
 * identifier; then the owner gets a notice.
 */
function createPinningTarget(job: TaskJob, credentials: PinningCredentials): IpfsTarget {
  return {
    copyOf: (cid) => ({ cid, url: `ipfs://${cid}`, gatewayUrl: `${publicGateway}/${cid}` }),
    put: async (file) => {
      const { source, tree } = computeTreeBeside(file.source);
      const cid = await pinFile(job, credentials, { ...file, source });
      const computedCid = (await tree).root.toString();
      const differenceNotice =
        `the pinning service calls the file ${cid}, and \`ipfs add --cid-version 1\` calls it ${computedCid}: ` +
        'the service splits files differently, or did not keep these bytes';
      return { cid, ipfsBytes: 0, notice: cid === computedCid ? null : differenceNotice };
    },
  };
}

/**
 * Creates the target for this node, which stores the file under its identifier with the blocks above its bytes. The
 * operator's Kubo node gets a copy if there is one.
 */
function createLocalTarget(job: TaskJob): IpfsTarget {
  const { storage, settings } = job.ctx;
  const readTree = async (file: FileToPost): Promise<ContentTree> => {
    if (settings.ipfsApiUrl === undefined) return computeContentTree(file.source);
    const { source, tree } = computeTreeBeside(file.source);
    const cid = async () => (await tree).root.toString();
    await addToNode(job, settings.ipfsApiUrl, { file: { ...file, source }, cid });
    return tree;
  };
  return {
    copyOf: (cid) => ({ cid, url: `ipfs://${cid}`, gatewayUrl: `${settings.cdnUrl}/ipfs/${cid}` }),
    put: async (file, storeUnder) => {
      const tree = await readTree(file);
      const cid = tree.root.toString();
      const head = await createArchiveHead(tree);
      await storage.put(ipfsArchiveKey(cid), head);
      await storeUnder(ipfsKey(cid));
      await storeIpfsBlocks(job.ctx, cid, listContentBlocks(head, file.bytes));
      return { cid, ipfsBytes: file.bytes + head.length, notice: null };
    },
  };
}

/** Computes the tree from the same bytes that another reader consumes, at that reader's pace. */
function computeTreeBeside(bytes: Readable): {
  readonly source: Readable;
  readonly tree: Promise<ContentTree>;
} {
  const copy = new PassThrough();
  const tree = computeContentTree(copy);
  // An error of the tree is handled when the tree is awaited after the upload.
  tree.catch(() => undefined);
  // Without this signal, a copy whose reader has failed would never be drained.
  const copyClosed = new AbortController();
  copy.once('close', () => copyClosed.abort());
  async function* through(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      if (!copy.write(chunk)) await once(copy, 'drain', { signal: copyClosed.signal }).catch(() => undefined);
      yield chunk;
    }
    copy.end();
  }
  const source = Readable.from(through(), { objectMode: false });
  source.on('close', () => {
    bytes.destroy();
    if (!copy.writableEnded) copy.destroy(new Error('The file was not read to its end'));
  });
  return { source, tree };
}

/**
 * Opens the file as a stream that reports its progress.
 * @throws StorageError `missing`
 */
async function openSource(
  { ctx, report, signal }: TaskJob,
  { sourceKey, bytes }: InputAsset,
): Promise<Readable> {
  const source = await ctx.storage.read(sourceKey);
  if (!source) throw new StorageError('missing', sourceKey);
  let readBytes = 0;
  const counter = new Transform({
    signal,
    transform(chunk: Buffer, _encoding, callback) {
      readBytes += chunk.length;
      report((VIDEO_FRACTION * readBytes) / Math.max(bytes, 1));
      callback(null, chunk);
    },
  });
  source.on('error', (error) => counter.destroy(error));
  counter.on('close', () => source.destroy());
  return source.pipe(counter);
}

function nftDetailsOf({ ctx }: TaskJob, { name, playbackId }: InputAsset, cid: string) {
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
