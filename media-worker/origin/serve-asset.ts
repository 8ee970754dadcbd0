import { create as contentDisposition } from 'content-disposition';
import { LRUCache } from 'lru-cache';
import type { LocatedAsset } from '@/lib/assets';
import { StorageError, type StorageDriver, type StoredObject } from '@/lib/infra/storage';
import { errorAnswer, type Answer, type Headers } from '../http/answer';
import { assetFileAt, parseAssetPath, type AssetFile } from './asset-path';
import { byteRange } from './byte-range';

export interface AssetRequest {
  /** What follows `/asset`, without the query. */
  readonly path: string;
  /** `?download`: save it instead of showing it. */
  readonly download: boolean;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

export type ServeAsset = (request: AssetRequest) => Promise<Answer>;

interface AssetSources {
  readonly storage: StorageDriver;
  readonly locate: (playbackId: string) => Promise<LocatedAsset | null>;
}

/** A deleted asset may be seen for so long still. */
const locatedMs = 2_000;

/** Serves the files of ready assets: the MP4 with ranges, HLS and pictures (specification §2.3). */
export function createServeAsset({ storage, locate }: AssetSources): ServeAsset {
  const located = new LRUCache<string, { readonly asset: LocatedAsset | null }>({
    max: 5_000,
    ttl: locatedMs,
  });
  const find = async (playbackId: string) => {
    const known = located.get(playbackId);
    if (known) return known.asset;
    const asset = await locate(playbackId);
    located.set(playbackId, { asset });
    return asset;
  };
  return async (request) => {
    const path = parseAssetPath(request.path);
    const asset = path && (await find(path.playbackId));
    const file = asset && assetFileAt(asset, path.file);
    const stored = file && (await storage.head(file.key));
    if (!stored) return errorAnswer(404, 'There is nothing at this address.');
    return answer(storage, { request, file, stored, name: asset.name });
  };
}

interface Found {
  readonly request: AssetRequest;
  readonly file: AssetFile;
  readonly stored: StoredObject;
  readonly name: string;
}

async function answer(storage: StorageDriver, { request, file, stored, name }: Found): Promise<Answer> {
  const etag = `"${stored.etag}"`;
  const headers = headersOf(file, stored, etag, name, request.download);
  if (matches(request.ifNoneMatch, etag)) return { status: 304, headers };
  const stale = request.ifRange !== undefined && request.ifRange !== etag;
  const range = stale ? 'whole' : byteRange(request.range, stored.bytes);
  if (range === 'unsatisfiable') {
    return errorAnswer(416, 'The file has no such bytes.', { 'Content-Range': `bytes */${stored.bytes}` });
  }
  const partial = range !== 'whole';
  const bytes = partial ? range.end - range.start + 1 : stored.bytes;
  const extra: Headers = partial
    ? { 'Content-Range': `bytes ${range.start}-${range.end}/${stored.bytes}` }
    : {};
  const open = async () => {
    const source = await storage.read(file.key, partial ? range : undefined);
    if (!source) throw new StorageError('missing', file.key);
    return source;
  };
  return {
    status: partial ? 206 : 200,
    headers: { ...headers, ...extra },
    stream: { bytes, open },
  };
}

function headersOf(
  { contentType, immutable, named }: AssetFile,
  stored: StoredObject,
  etag: string,
  name: string,
  download: boolean,
): Headers {
  return {
    'Content-Type': contentType,
    'Cache-Control': immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=60',
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Last-Modified': stored.modifiedAt.toUTCString(),
    ...(named ? { 'Content-Disposition': disposition(name, download) } : {}),
  };
}

function disposition(name: string, download: boolean): string {
  const clean = name.replace(/[\p{Cc}/\\]/gu, ' ').trim() || 'video';
  const filename = /\.mp4$/i.test(clean) ? clean : `${clean}.mp4`;
  return contentDisposition(filename, { type: download ? 'attachment' : 'inline' });
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
