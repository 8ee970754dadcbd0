import type { IncomingHttpHeaders } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import type { LocatedAsset } from '@/lib/assets';
import { systemClock, type Clock } from '@/lib/infra/clock';
import type { StorageDriver } from '@/lib/infra/storage';
import { errorAnswer, type Answer } from '../http/answer';
import { assetFileAt, parseAssetPath, type AssetFile } from './asset-path';
import { Remembered } from './remembered';
import { immutable, serveFile, type ServedFile } from './serve-file';

export interface AssetRequest {
  /** What follows `/asset`, without the query. */
  readonly path: string;
  /** `?download`: save it instead of showing it. */
  readonly download: boolean;
  readonly headers: IncomingHttpHeaders;
}

export type ServeAsset = (request: AssetRequest) => Promise<Answer>;

interface AssetSources {
  readonly storage: StorageDriver;
  readonly locate: (playbackId: string) => Promise<LocatedAsset | null>;
  readonly clock?: Clock;
}

/** A deleted asset may be seen for 2 s. "Not found" is not cached, so an asset can be played as soon as it is ready. */
const fresh = { freshMs: 2_000, freshNothingMs: -1 };

/** Serves the files of ready assets: the MP4 with range requests, HLS and images. */
export function createServeAsset({ storage, locate, clock = systemClock }: AssetSources): ServeAsset {
  const assets = new Remembered(locate, clock, fresh);
  return async (request) => {
    const path = parseAssetPath(request.path);
    const asset = path && (await assets.find(path.playbackId));
    const file = asset && assetFileAt(asset, path.file);
    const { headers, download } = request;
    const answer = file && (await serveFile(storage, servedFile(file, asset, download), headers));
    return answer ?? errorAnswer(404, 'Not found.');
  };
}

function servedFile(file: AssetFile, { assetId, name }: LocatedAsset, download: boolean): ServedFile {
  const { key, contentType, named, media } = file;
  const cacheControl = file.immutable ? immutable : 'public, max-age=60';
  const delivery = { of: 'asset', id: assetId, seconds: media ? null : 0 } as const;
  const served = { key, contentType, cacheControl, delivery };
  return named ? { ...served, disposition: disposition(name, download) } : served;
}

function disposition(name: string, download: boolean): string {
  const clean = name.replace(/[\p{Cc}/\\]/gu, ' ').trim() || 'video';
  const filename = /\.mp4$/i.test(clean) ? clean : `${clean}.mp4`;
  return contentDisposition(filename, { type: download ? 'attachment' : 'inline' });
}
