import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { create as contentDisposition } from 'content-disposition';
import { CID } from 'multiformats/cid';
import type { IpfsContent } from '@/lib/domain/assets';
import { ipfsArchiveKey, ipfsKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { type Answer, type Headers, errorAnswer } from '@/media-worker/kit/http/answer';
import {
  createArchive,
  archiveLength,
  createArchiveHead,
  readRootBlock,
} from '@/media-worker/vod/ipfs/content-archive';
import { type OpenRange, type ServedBytes, matchesEtag, serveBytes } from './serve-bytes';
import { immutable } from './cache-control';
import { openStored } from './open-stored';

/** `raw`: the block itself; `car`: an archive of all blocks. Null: the assembled bytes. */
type IpfsFormat = 'raw' | 'car' | null;

/** The format in which a client requests an identifier. */
export interface RequestedFormat {
  readonly format: IpfsFormat;
  /** Whether the `Accept` header decides, because the URL names no format. Caches need to know this (`Vary`). */
  readonly isHeaderUsed: boolean;
  /** The `Content-Disposition` header, from the query. */
  readonly disposition: string | null;
}

const ipfsTypes = { raw: 'application/vnd.ipld.raw', car: 'application/vnd.ipld.car' } as const;
const MAX_NAME_LENGTH = 200;

/** The format that a request selects, or an error answer for an unsupported one. */
export function parseRequestedFormat(
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
): { readonly format: RequestedFormat } | { readonly rejection: Answer } {
  // A service worker script would see every request to this file and its siblings (path gateway specification).
  if (headers['service-worker'] === 'script') {
    return { rejection: errorAnswer(400, 'Service workers are not allowed for a single file.') };
  }
  const formatName = query.get('format') ?? '';
  if (formatName !== '' && formatName !== 'raw' && formatName !== 'car') {
    return { rejection: errorAnswer(406, 'format must be raw or car.') };
  }
  const format = formatName === '' ? parseAcceptedFormat(headers.accept) : formatName;
  return { format: { format, isHeaderUsed: formatName === '', disposition: dispositionOf(query, format) } };
}

/** The supported format that the client prefers (RFC 9110 §12.5.1). Clients that verify content name one in `Accept`. */
function parseAcceptedFormat(accept = ''): IpfsFormat {
  const types = accept.split(',').map((entry) => {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, weight: weight === undefined ? 1 : Number(weight) };
  });
  const knownTypes = types.filter(
    ({ type, weight }) => weight > 0 && Object.values<string>(ipfsTypes).includes(type),
  );
  const [best] = knownTypes.toSorted((a, b) => b.weight - a.weight);
  return best === undefined ? null : best.type === ipfsTypes.raw ? 'raw' : 'car';
}

function dispositionOf(query: URLSearchParams, format: IpfsFormat): string | null {
  const name = query
    .get('filename')
    ?.replace(/[\p{Cc}/\\]/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  const isDownload = query.get('download') === 'true';
  if (!name && !isDownload) return null;
  return contentDisposition(name || undefined, {
    type: isDownload || format !== null ? 'attachment' : 'inline',
  });
}

type Storage = Pick<StorageDriver, 'head' | 'read'>;

/** The identifier of the empty block, which contains the block itself. Clients request it to detect a gateway. */
export const emptyCid = 'bafkqaaa';

interface IpfsRepresentation {
  /** CID of version 1 in base 32. */
  readonly cid: string;
  readonly format: IpfsFormat;
  /** Headers of every answer, including "not modified". */
  readonly headers: Headers;
  /** Replaces the default name of a file. */
  readonly disposition: string | null;
}

/** Answers with the content of an identifier in the requested format; null if it no longer exists. */
export async function answerWithIpfs(
  storage: Storage,
  content: IpfsContent | 'empty',
  representation: IpfsRepresentation,
  request: IncomingHttpHeaders,
): Promise<Answer | null> {
  if (representation.format !== 'car') {
    const source =
      content === 'empty'
        ? createMemorySource(Buffer.alloc(0))
        : await findSource(storage, content, representation.format);
    if (!source) return null;
    const { open, contentType, bytes } = source;
    return serveBytes({ bytes, from: open, ...representationHeaders(representation, contentType) }, request);
  }
  if (content === 'empty') {
    const head = await createArchiveHead({ root: CID.parse(emptyCid), nodes: [] });
    return serveArchive(
      { bytes: head.length, open: () => Promise.resolve(Readable.from([head])) },
      representation,
      request,
    );
  }
  // An archive is stored for a whole file, and not for the blocks below one of its nodes.
  if (content.part)
    return errorAnswer(406, 'CAR archives contain whole files; request this block with format=raw.');
  const source = await findArchive(storage, content.root);
  return source && serveArchive(source, representation, request);
}

/** Bytes that can be served, with their length. */
type Source = Pick<ServedBytes, 'bytes'> & { readonly open: OpenRange; readonly contentType?: string };

/** Finds the block itself, or the bytes of the file below it; null if it no longer exists. */
async function findSource(
  storage: Storage,
  { root, part }: IpfsContent,
  format: IpfsFormat,
): Promise<Source | null> {
  const file = await storage.head(ipfsKey(root));
  if (!file) return null;
  if (format === 'raw' && part?.node) {
    if (!(await storage.head(ipfsArchiveKey(root)))) return null;
    return createSectionSource(storage, ipfsArchiveKey(root), {
      start: part.node.at,
      bytes: part.node.bytes,
    });
  }
  if (part) return createSectionSource(storage, ipfsKey(root), part);
  const head = format === 'raw' ? await storage.read(ipfsArchiveKey(root)) : null;
  if (format === 'raw' && !head) return null;
  const block = head && (await readRootBlock(await buffer(head)));
  // A file of a single leaf is its own block.
  if (block) return createMemorySource(Buffer.from(block.bytes));
  const firstBytes = await storage.read(ipfsKey(root), { start: 0, end: 15 });
  if (!firstBytes) return null;
  const open: OpenRange = (range) => openStored(storage, ipfsKey(root), range);
  return { bytes: file.bytes, open, contentType: detectContentType(await buffer(firstBytes)) };
}

function createSectionSource(
  storage: Storage,
  key: string,
  { start, bytes }: { readonly start: number; readonly bytes: number },
): Source {
  const open: OpenRange = (range) =>
    openStored(storage, key, { start: start + (range?.start ?? 0), end: start + (range?.end ?? bytes - 1) });
  return { bytes, open };
}

function createMemorySource(bytes: Buffer): Source {
  const open: OpenRange = (range) =>
    Promise.resolve(Readable.from([bytes.subarray(range?.start ?? 0, (range?.end ?? bytes.length - 1) + 1)]));
  return { bytes: bytes.length, open };
}

async function findArchive(storage: Storage, root: string): Promise<Omit<Source, 'contentType'> | null> {
  const file = await storage.head(ipfsKey(root));
  const storedArchive = file && (await storage.read(ipfsArchiveKey(root)));
  if (!storedArchive) return null;
  const head = await buffer(storedArchive);
  const open = async () => {
    const source = await openStored(storage, ipfsKey(root));
    // In byte mode, the read-ahead limit counts bytes instead of chunks.
    const stream = Readable.from(createArchive(head, source), { objectMode: false });
    return stream.once('close', () => source.destroy());
  };
  return { bytes: archiveLength(head.length, file.bytes), open };
}

/** Serves an archive as a whole: ranges would be useless, because clients verify it block by block from the start. */
function serveArchive(
  { bytes, open }: Omit<Source, 'contentType'>,
  representation: IpfsRepresentation,
  request: IncomingHttpHeaders,
): Answer {
  const { etag, headers, contentHeaders } = representationHeaders(representation);
  const commonHeaders = { ...headers, ETag: etag };
  if (matchesEtag(request['if-none-match'], etag)) return { status: 304, headers: commonHeaders };
  return {
    status: 200,
    headers: { ...commonHeaders, ...contentHeaders, 'Accept-Ranges': 'none' },
    stream: { bytes, open: () => open() },
  };
}

function representationHeaders(
  { cid, format, headers, disposition }: IpfsRepresentation,
  contentType?: string,
) {
  const contentTypes = { raw: ipfsTypes.raw, car: `${ipfsTypes.car}; version=1; order=unk; dups=y` };
  const fileNames = { raw: `${cid}.bin`, car: `${cid}.car` };
  const attachment = disposition ?? (format && `attachment; filename="${fileNames[format]}"`);
  return {
    etag: format ? `"${cid}.${format}"` : `"${cid}"`,
    headers: { 'Cache-Control': immutable, ...headers },
    contentHeaders: {
      'Content-Type': format ? contentTypes[format] : (contentType ?? 'application/octet-stream'),
      ...(attachment === null ? {} : { 'Content-Disposition': attachment }),
    },
  };
}

/** Detects the type by content, because an identifier has none. Only MP4 and JSON files are stored. */
function detectContentType(firstBytes: Buffer): string {
  if (firstBytes.subarray(4, 8).toString('latin1') === 'ftyp') return 'video/mp4';
  // JSON starts with `{`.
  return firstBytes[0] === 0x7b ? 'application/json' : 'application/octet-stream';
}
