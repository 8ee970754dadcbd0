import type { IncomingHttpHeaders } from 'node:http';
import type { LocatedAsset } from '@/lib/domain/assets';
import { containerNamed } from '@/lib/core/media/container';
import { assetKey } from '@/lib/core/storage-keys';
import { type Clock, systemClock } from '@/lib/infra/clock';
import { type Answer, errorAnswer, notFoundAnswer } from '@/media-worker/kit/http/answer';
import type { AssetPictures } from './asset-pictures';
import type { AudioFiles } from './audio-files';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import { fileOfVersion } from './stored-asset-file';
import { serveNaming } from './serve-naming';
import { servePictures } from './serve-pictures';
import type { ServeTracks } from './serve-tracks';
import type { ServeRendition } from './renditions/serve-rendition';
import type { HeldReads } from '@/media-worker/vod/index/indexed-reads';
import { type ServedFile, dispositionOf, forAMinute, immutable, serveFile } from './serve-file';

/** An asset file named by an address below `/asset`. */
interface AssetPath {
  readonly playbackId: string;
  readonly file: string;
}

const grammar =
  /^\/([a-z0-9]{16})\/((?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}\/){0,3}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63})$/;
const pictures = /^(?:poster\.jpg|storyboard\.vtt|storyboard-\d{1,4}\.jpg)$/;
const hls = /\.(?:m3u8|m4s|mp4)$/;
/** Name of an init segment that contains a hash, so the content never changes. */
const taggedInit = /\/[0-9a-f]{12}-init(?:-\d{1,3})?\.mp4$/;

/** @param path path after `/asset` without a query, not decoded */
function parseAssetPath(path: string): AssetPath | null {
  const [, playbackId, file] = grammar.exec(path) ?? [];
  return playbackId && file ? { playbackId, file } : null;
}

interface AssetFile {
  readonly key: string;
  readonly contentType: string;
  /** File extension of a download; null: the file cannot be saved under the asset's name. */
  readonly ending: string | null;
  /** Whether the content at this URL never changes. */
  readonly immutable: boolean;
  /** Whether the file is media, and not a playlist or picture. */
  readonly media: boolean;
}

const types: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
};

/** The storage object for a URL; null for unknown paths. */
function assetFileAt(
  { filesId, videoKey, sourceKey, sourceFormat }: LocatedAsset,
  file: string,
): AssetFile | null {
  const wholeFile = { immutable: false, media: true };
  const mp4 = containerNamed('mp4');
  if (file === 'video' || file === 'video/download.mp4') {
    return { ...wholeFile, key: videoKey, contentType: mp4.contentType, ending: mp4.ending };
  }
  if (file === 'source') {
    const { contentType, ending } = containerNamed(sourceFormat);
    return { ...wholeFile, key: sourceKey, contentType, ending };
  }
  const contentType = types[file.split('.').at(-1) ?? ''];
  if (contentType === undefined) return null;
  if (pictures.test(file))
    return { key: assetKey(filesId, file), contentType, ending: null, immutable: false, media: false };
  if (!hls.test(file)) return null;
  return {
    key: assetKey(filesId, `hls/${file}`),
    contentType,
    ending: null,
    immutable: file.endsWith('.m4s') || taggedInit.test(file),
    media: file.endsWith('.m4s'),
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
  readonly storage: HeldReads;
  readonly locate: (playbackId: string) => Promise<LocatedAsset | null>;
  /** Absent: no separate audio. */
  readonly audio?: Pick<AudioFiles, 'keyOf'>;
  /** Absent: only stored pictures. */
  readonly pictures?: Pick<AssetPictures, 'picture' | 'preview'>;
  /** Absent: no text tracks. */
  readonly tracks?: ServeTracks;
  /** Absent: master playlists list only stored renditions. */
  readonly renditions?: ServeRendition;
  readonly clock?: Clock;
}

/** The audio takes longer than a request should wait, or other audio files are made first. */
const notReady = errorAnswer(503, 'The audio is being prepared. Try again in a moment.', {
  'Retry-After': 10,
});

/** A deleted asset may be seen for 2 s. "Not found" is not cached, so an asset can be played as soon as it is ready. */
const fresh = { freshMs: 2_000, freshNothingMs: -1 };

/** Serves the files of ready assets: the MP4 with range requests, HLS and images. */
export function createServeAsset(sources: AssetSources): ServeAsset {
  const { storage, locate, audio, pictures, tracks, renditions, clock = systemClock } = sources;
  const assets = new LookupCache(locate, clock, fresh);
  const serveNamingFile = serveNaming(storage);
  return async (request) => {
    const path = parseAssetPath(request.path);
    const locatedAsset = path && (await assets.find(path.playbackId));
    const assetFile = locatedAsset && fileOfVersion(locatedAsset, path.file);
    if (!assetFile) return notFoundAnswer('Not found.');
    const { headers, download } = request;
    const { asset } = assetFile;
    const playlistAnswer =
      (await renditions?.(assetFile, headers, request.client)) ??
      (await tracks?.(assetFile, headers)) ??
      (await serveNamingFile(assetFile, headers)) ??
      (pictures && (await servePictures(pictures, assetFile, request)));
    if (playlistAnswer) return playlistAnswer;
    const file = assetFileAt(asset, assetFile.file);
    if (!file) return notFoundAnswer('Not found.');
    const alone = request.audio && file.key === asset.videoKey;
    const audioFile = alone ? await audioOf(file, asset, audio) : file;
    if ('status' in audioFile) return audioFile;
    const answer = await serveFile(storage, servedFile(audioFile, asset, download), headers);
    return answer ?? notFoundAnswer('Not found.');
  };
}

/** The audio file of an asset instead of its MP4, or an error answer. */
async function audioOf(
  file: AssetFile,
  asset: LocatedAsset,
  audio: AssetSources['audio'],
): Promise<AssetFile | Answer> {
  if (!asset.hasAudio || !audio) return notFoundAnswer('This asset has no audio.');
  const key = await audio.keyOf(asset);
  return key === null ? notReady : { ...file, key, contentType: 'audio/mp4', ending: 'm4a' };
}

function servedFile(file: AssetFile, { assetId, name }: LocatedAsset, download: boolean): ServedFile {
  const { key, contentType, ending, media } = file;
  // A download has the current name of the asset; playback may be a minute old.
  const fresh = ending !== null && download ? 'no-cache' : forAMinute;
  const cacheControl = file.immutable ? immutable : fresh;
  const delivery = { of: 'asset', id: assetId, seconds: media ? null : 0 } as const;
  const fileOptions = { key, contentType, cacheControl, delivery };
  return ending === null
    ? fileOptions
    : { ...fileOptions, disposition: dispositionOf(name, download, ending) };
}
