import type { IncomingHttpHeaders } from 'node:http';
import type { LocatedAsset } from '@/lib/domain/assets';
import { containerOfFormat } from '@/lib/core/media/container';
import { assetKey } from '@/lib/core/storage-keys';
import { type Clock, systemClock } from '@/lib/infra/clock';
import { type Answer, errorAnswer, notFoundAnswer } from '@/media-worker/kit/http/answer';
import type { AssetPictures } from './asset-pictures';
import type { AudioFiles } from './audio-files';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import { fileOfVersion } from './stored-asset-file';
import { createServeFilesWithUrls } from './serve-files-with-urls';
import { servePictures } from './serve-pictures';
import type { ServeTracks } from './serve-tracks';
import type { ServeRendition } from './renditions/serve-rendition';
import type { CachedReads } from '@/media-worker/vod/index/indexed-reads';
import { type ServedFile, serveFile } from './serve-file';
import { dispositionOf } from './content-disposition';
import { oneMinuteCache, immutable } from './cache-control';

/** The asset and file that a URL below `/asset` names. */
interface AssetPath {
  readonly playbackId: string;
  readonly file: string;
}

const assetPathPattern =
  /^\/([a-z0-9]{16})\/((?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}\/){0,3}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63})$/;
const pictureFile = /^(?:poster\.jpg|storyboard\.vtt|storyboard-\d{1,4}\.jpg)$/;
const hlsFile = /\.(?:m3u8|m4s|mp4)$/;
/** Name of an init segment that contains a hash, so the content never changes. */
const hashedInitFile = /\/[0-9a-f]{12}-init(?:-\d{1,3})?\.mp4$/;

/** Parses a path after `/asset`, without a query and not decoded; null for an invalid one. */
function parseAssetPath(path: string): AssetPath | null {
  const [, playbackId, file] = assetPathPattern.exec(path) ?? [];
  return playbackId && file ? { playbackId, file } : null;
}

interface AssetFile {
  readonly key: string;
  readonly contentType: string;
  /** File extension of a download; null: the file cannot be saved under the asset's name. */
  readonly extension: string | null;
  /** Whether the content at this URL never changes. */
  readonly isImmutable: boolean;
  /** Whether the file contains frames, unlike a playlist, an init segment or a picture. */
  readonly hasFrames: boolean;
}

const contentTypesByExtension: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
};

/** The storage object for a URL; null for unknown paths. */
function findAssetFile(
  { filesId, videoKey, sourceKey, sourceFormat }: LocatedAsset,
  file: string,
): AssetFile | null {
  const wholeFile = { isImmutable: false, hasFrames: true };
  const mp4 = containerOfFormat('mp4');
  if (file === 'video' || file === 'video/download.mp4') {
    return { ...wholeFile, key: videoKey, contentType: mp4.contentType, extension: mp4.extension };
  }
  if (file === 'source') {
    const { contentType, extension } = containerOfFormat(sourceFormat);
    return { ...wholeFile, key: sourceKey, contentType, extension };
  }
  const contentType = contentTypesByExtension[file.split('.').at(-1) ?? ''];
  if (contentType === undefined) return null;
  if (pictureFile.test(file))
    return {
      key: assetKey(filesId, file),
      contentType,
      extension: null,
      isImmutable: false,
      hasFrames: false,
    };
  if (!hlsFile.test(file)) return null;
  return {
    key: assetKey(filesId, `hls/${file}`),
    contentType,
    extension: null,
    isImmutable: file.endsWith('.m4s') || hashedInitFile.test(file),
    hasFrames: file.endsWith('.m4s'),
  };
}

export interface AssetRequest {
  /** Path after `/asset`, without the query. */
  readonly path: string;
  /** `?download`: the browser saves the file instead of showing it. */
  readonly download: boolean;
  /** `?download=audio`: only the audio of the MP4. */
  readonly audio?: boolean;
  /** Query of a picture request. */
  readonly query?: URLSearchParams;
  /** Address of the viewer, for fair queues. */
  readonly client?: string;
  readonly headers: IncomingHttpHeaders;
}

export type ServeAsset = (request: AssetRequest) => Promise<Answer>;

interface AssetSources {
  readonly storage: CachedReads;
  readonly locate: (playbackId: string) => Promise<LocatedAsset | null>;
  /** Absent: no separate audio. */
  readonly audio?: Pick<AudioFiles, 'findKey'>;
  /** Absent: only stored pictures. */
  readonly pictures?: Pick<AssetPictures, 'getPicture' | 'getAnimatedPreview'>;
  /** Absent: no text tracks. */
  readonly tracks?: ServeTracks;
  /** Absent: master playlists list only stored renditions. */
  readonly renditions?: ServeRendition;
  readonly clock?: Clock;
}

/** The answer when the audio takes longer than a request should wait, failed, or too many files are waiting. */
const audioNotReadyAnswer = errorAnswer(503, 'The audio is being prepared. Try again in a moment.', {
  'Retry-After': 10,
});

/** A deleted asset may be seen for 2 s. "Not found" is not cached, so an asset can be played as soon as it is ready. */
const lookupOptions = { maxAgeMs: 2_000, absentMaxAgeMs: -1 };

/** Serves the files of ready assets: the MP4 with range requests, HLS and images. */
export function createServeAsset(sources: AssetSources): ServeAsset {
  const { storage, locate, audio, pictures, tracks, renditions, clock = systemClock } = sources;
  const assets = new LookupCache(locate, clock, lookupOptions);
  const serveFileWithUrls = createServeFilesWithUrls(storage);
  return async (request) => {
    const path = parseAssetPath(request.path);
    const locatedAsset = path && (await assets.find(path.playbackId));
    const assetFile = locatedAsset && fileOfVersion(locatedAsset, path.file);
    if (!assetFile) return notFoundAnswer('Not found.');
    const { headers, download } = request;
    const { asset } = assetFile;
    const generatedAnswer =
      (await renditions?.(assetFile, headers, request.client)) ??
      (await tracks?.(assetFile, headers)) ??
      (await serveFileWithUrls(assetFile, headers)) ??
      (pictures && (await servePictures(pictures, assetFile, request)));
    if (generatedAnswer) return generatedAnswer;
    const file = findAssetFile(asset, assetFile.file);
    if (!file) return notFoundAnswer('Not found.');
    const isAudioOnly = request.audio && file.key === asset.videoKey;
    const audioFile = isAudioOnly ? await findAudioFile(file, asset, audio) : file;
    if ('status' in audioFile) return audioFile;
    const answer = await serveFile(storage, createServedFile(audioFile, asset, download), headers);
    return answer ?? notFoundAnswer('Not found.');
  };
}

/**
 * Finds or creates the separate audio file of an asset.
 * @returns an error answer if the asset has no audio, or it is not ready
 */
async function findAudioFile(
  file: AssetFile,
  asset: LocatedAsset,
  audio: AssetSources['audio'],
): Promise<AssetFile | Answer> {
  if (!asset.hasAudio || !audio) return notFoundAnswer('This asset has no audio.');
  const key = await audio.findKey(asset);
  return key === null ? audioNotReadyAnswer : { ...file, key, contentType: 'audio/mp4', extension: 'm4a' };
}

function createServedFile(file: AssetFile, { assetId, name }: LocatedAsset, download: boolean): ServedFile {
  const { key, contentType, extension, hasFrames } = file;
  // A download has the current name of the asset; playback may be a minute old.
  const mutableCacheControl = extension !== null && download ? 'no-cache' : oneMinuteCache;
  const cacheControl = file.isImmutable ? immutable : mutableCacheControl;
  const delivery = { kind: 'asset', id: assetId, seconds: hasFrames ? null : 0 } as const;
  const fileOptions = { key, contentType, cacheControl, delivery };
  return extension === null
    ? fileOptions
    : { ...fileOptions, disposition: dispositionOf(name, download, extension) };
}
