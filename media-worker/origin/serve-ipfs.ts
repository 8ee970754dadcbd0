import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CID } from 'multiformats/cid';
import type { IpfsContent } from '@/lib/assets';
import { ipfsArchiveKey, ipfsKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { errorAnswer, type Answer } from '../http/answer';
import { archive, archiveBytes, rootBlock } from '../vod/content-archive';
import { immutable, serveFile } from './serve-file';
import { ipfsTypes as types, servePart } from './serve-ipfs-part';

type Storage = Pick<StorageDriver, 'head' | 'read'>;

export interface IpfsRequest {
  /** What follows `/ipfs`. */
  readonly path: string;
  /** Of the query; before what is accepted. */
  readonly format: string | null;
  readonly headers: IncomingHttpHeaders;
}

/** A version 1 identifier in base 32; nothing else is kept here. */
const grammar = /^\/(b[a-z2-7]{50,100})$/;
const nothing = errorAnswer(404, 'Nothing with this identifier is kept here.');

export type ServeIpfs = (request: IpfsRequest) => Promise<Answer>;

interface IpfsSources {
  readonly storage: Storage;
  readonly find: (cid: { readonly text: string; readonly binary: Uint8Array }) => Promise<IpfsContent | null>;
}

/**
 * Answers a GET or HEAD below `/ipfs`, as a gateway does: the bytes whose identifier that is, if they are kept here; on
 * request the block itself, or an archive of all blocks, which anybody can check (IPFS trustless gateway).
 */
export function createServeIpfs({ storage, find }: IpfsSources): ServeIpfs {
  return async ({ path, format, headers }) => {
    const [, cid] = grammar.exec(path) ?? [];
    const binary = cid === undefined ? null : binaryOf(cid);
    const content = cid === undefined || !binary ? null : await find({ text: cid, binary });
    if (cid === undefined || !content) return nothing;
    const asked = format ?? accepted(headers.accept);
    const wanted = asked === 'raw' || asked === 'car' ? asked : null;
    const { root, part } = content;
    const answer = part
      ? await servePart(storage, { cid, root, part }, { wanted, headers })
      : wanted
        ? await serveBlocks(storage, cid, { wanted, headers })
        : await serveBytes(storage, cid, headers);
    if (!answer) return nothing;
    return { ...answer, headers: { ...answer.headers, 'X-Ipfs-Path': `/ipfs${path}` } };
  };
}

function binaryOf(cid: string): Uint8Array | null {
  try {
    return CID.parse(cid).bytes;
  } catch {
    return null;
  }
}

/** Clients that check what they get name what they understand. */
function accepted(accept: string | undefined): 'raw' | 'car' | null {
  if (accept?.includes(types.raw)) return 'raw';
  return accept?.includes(types.car) ? 'car' : null;
}

async function serveBytes(storage: Storage, cid: string, headers: IncomingHttpHeaders) {
  const key = ipfsKey(cid);
  const first = await storage.read(key, { start: 0, end: 15 });
  if (!first) return null;
  const contentType = typeOf(await buffer(first));
  return serveFile(storage, { key, contentType, cacheControl: immutable }, headers);
}

interface Blocks {
  readonly wanted: 'raw' | 'car';
  readonly headers: IncomingHttpHeaders;
}

async function serveBlocks(storage: Storage, cid: string, { wanted, headers }: Blocks) {
  const file = await storage.head(ipfsKey(cid));
  const stored = file && (await storage.read(ipfsArchiveKey(cid)));
  if (!stored) return null;
  const head = await buffer(stored);
  const name = { raw: `${cid}.bin`, car: `${cid}.car` }[wanted];
  const common = {
    'Content-Type': wanted === 'car' ? `${types.car}; version=1; order=unk; dups=y` : types.raw,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': immutable,
    ETag: `"${cid}.${wanted}"`,
  };
  if (headers['if-none-match'] === common.ETag) return { status: 304, headers: common };
  const open = async () => {
    const source = await storage.read(ipfsKey(cid));
    if (!source) throw new Error('The file was removed meanwhile');
    return source;
  };
  if (wanted === 'car') {
    const whole = async () => {
      const source = await open();
      // Not as objects: how much is read ahead is counted in bytes.
      const reading = Readable.from(archive(head, source), { objectMode: false });
      return reading.once('close', () => source.destroy());
    };
    return {
      status: 200,
      headers: common,
      stream: { bytes: archiveBytes(head.length, file.bytes), open: whole },
    };
  }
  const block = await rootBlock(head);
  if (!block) return { status: 200, headers: common, stream: { bytes: file.bytes, open } };
  return { status: 200, headers: common, body: [Buffer.from(block.bytes)] };
}

/** An identifier says nothing about the type; only two kinds of file are put here. */
function typeOf(begin: Buffer): string {
  if (begin.subarray(4, 8).toString('latin1') === 'ftyp') return 'video/mp4';
  return begin[0] === 0x7b ? 'application/json' : 'application/octet-stream';
}
