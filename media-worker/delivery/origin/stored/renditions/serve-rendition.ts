import { MINUTE_MS } from '@/lib/core/units';
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { LocatedAsset } from '@/lib/domain/assets';
import { prefixPlaylistUris } from '@/lib/core/hls/file-version';
import { addSubtitles } from '@/lib/core/hls/subtitles';
import { renditionWaitMs } from '@/lib/core/renditions/rendition-budget';
import { replacementsOf, supportsInBandParameterSets } from '@/lib/core/renditions/stand-in';
import type { VodRendition } from '@/lib/core/renditions/vod-ladder';
import { assetKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { buildRenditionInit } from '@/media-worker/media/cmaf/rendition-init';
import {
  periodOfFile,
  readRenditionSource,
  renditionForPeriod,
  type RenditionSource,
} from '@/media-worker/vod/renditions/rendition-source';
import { openSubstitute } from '@/media-worker/vod/renditions/substitute-segment';
import { type Answer, notFoundAnswer } from '@/media-worker/kit/http/answer';
import { contentTypes } from '@/media-worker/kit/http/content-types';
import type { StoredAssetFile } from '@/media-worker/delivery/origin/stored/stored-asset-file';
import { oneMinuteCache, immutable } from '@/media-worker/delivery/origin/stored/cache-control';
import { serveFile } from '@/media-worker/delivery/origin/stored/serve-file';
import { openStored } from '@/media-worker/delivery/origin/stored/open-stored';
import { textAnswer } from '@/media-worker/delivery/origin/stored/bytes-answer';
import { type RenditionRequests, renditionKeyOf } from './rendition-requests';

interface ServeRenditionOptions {
  /** The storage as viewers read it, including HLS that is made from indexes. */
  readonly storage: Pick<StorageDriver, 'head' | 'read'>;
  readonly renditionRequests: Pick<RenditionRequests, 'find' | 'requestAhead' | 'findStored'>;
  /** Milliseconds that a viewer waits for a segment of this duration. */
  readonly waitMs?: (seconds: number) => number;
}

/**
 * Serves a file of an asset.
 * @param client IP address of the viewer
 * @returns null for files that are not part of a rendition
 */
export type ServeRendition = (
  file: StoredAssetFile,
  headers: IncomingHttpHeaders,
  client?: string,
) => Promise<Answer | null>;

interface CachedSource {
  readonly source: RenditionSource | null;
}

/** Cache size of a period, in segments of a playlist. */
const PERIOD_CACHE_SIZE = 20;
const cacheLimits = { max: 500, maxSize: 1_000_000, ttl: 5 * MINUTE_MS };
/** Pattern of the folder names that `createVodLadder` and `createProfileLadder` give to renditions. */
const renditionFolder = /^\d+p(?:_\d+)?$/;
/** Segments encoded ahead of a viewer. */
const AHEAD_SEGMENTS = 2;
/** Duration for which the wait for an init segment is calculated: its encoder needs only one frame. */
const INIT_SECONDS = 4;

/** Serves the master playlist with all renditions, and renditions whose segments are encoded on request. */
export function createServeRendition({
  storage,
  renditionRequests,
  waitMs = renditionWaitMs,
}: ServeRenditionOptions): ServeRendition {
  const sources = new LRUCache<string, CachedSource, LocatedAsset['profiles']>({
    ...cacheLimits,
    sizeCalculation: ({ source }) =>
      1 + (source ? source.playlist.segments.length + source.periods.size * PERIOD_CACHE_SIZE : 0),
    fetchMethod: async (filesId, _known, { context: profiles }) => ({
      source: await readRenditionSource(storage, filesId, profiles),
    }),
  });
  return async ({ asset, file, folder: uriPrefix }, headers, client) => {
    const [folder = '', name, ...tail] = file.split('/');
    const isMaster = file === 'index.m3u8';
    if (!isMaster && (name === undefined || tail.length > 0 || !renditionFolder.test(folder))) return null;
    const { source = null } = (await sources.fetch(asset.filesId, { context: asset.profiles ?? null })) ?? {};
    if (!source) return null;
    if (isMaster) {
      const bytes = Buffer.from(addSubtitles(prefixPlaylistUris(uriPrefix, source.master), asset.tracks));
      const playlist = { contentType: contentTypes.playlist, cacheControl: oneMinuteCache };
      return textAnswer({ bytes, ...playlist, assetId: asset.assetId }, headers);
    }
    const rendition = source.renditions.find((candidate) => candidate.name === folder);
    if (!rendition) return null;
    if (name === 'index.m3u8') {
      // The playlist of the source: the segments of the rendition have the same names and durations.
      const playlist = { contentType: contentTypes.playlist, cacheControl: oneMinuteCache };
      return serveFile(
        storage,
        {
          ...playlist,
          key: assetKey(asset.filesId, 'hls/source/index.m3u8'),
          delivery: deliveryOf(asset, 0),
        },
        headers,
      );
    }
    const { assetId } = asset;
    const request = { assetId, source, rendition, file: name ?? '', headers, client };
    return serveMedia({ storage, renditionRequests, waitMs }, request);
  };
}

const deliveryOf = ({ assetId }: { readonly assetId: string }, seconds: number | null) =>
  ({ kind: 'asset', id: assetId, seconds }) as const;

interface MediaRequest {
  readonly assetId: string;
  readonly source: RenditionSource;
  readonly rendition: VodRendition;
  /** Name of the init segment or segment, as in the source. */
  readonly file: string;
  readonly headers: IncomingHttpHeaders;
  readonly client: string | undefined;
}

async function serveMedia(
  { storage, renditionRequests, waitMs }: Required<ServeRenditionOptions>,
  { assetId, source, rendition, file, headers, client }: MediaRequest,
): Promise<Answer> {
  const { filesId, playlist } = source;
  const isInit = playlist.inits.includes(file);
  const index = playlist.segments.findIndex(({ uri }) => uri === file);
  const segment = playlist.segments[index];
  if (!isInit && !segment) return notFoundAnswer('Not found.');
  const name = { assetId: filesId, rendition: rendition.name, file };
  const object = await renditionRequests.find(name, waitMs(segment?.seconds ?? INIT_SECONDS), client);
  // The next files are requested only after the wait for this one, because they would occupy the encoder.
  if (segment) {
    const nextSegments = playlist.segments.slice(index + 1, index + 1 + AHEAD_SEGMENTS);
    void renditionRequests.requestAhead(nextSegments.map(({ uri }) => ({ ...name, file: uri })));
  }
  const contentType = isInit ? contentTypes.init : contentTypes.media;
  if (object) {
    const key = renditionKeyOf(name);
    const delivery = deliveryOf({ assetId }, isInit ? 0 : null);
    const fileAnswer = await serveFile(
      storage,
      { key, contentType, cacheControl: immutable, delivery },
      headers,
    );
    if (fileAnswer) return fileAnswer;
  }
  if (!segment) {
    const period = periodOfFile(source, file);
    const { width, height } = renditionForPeriod(source, rendition, period);
    const init = buildRenditionInit(period.init, { width, height, entry: period.entry });
    return substituteAnswer(assetId, contentType, { body: [init] }, 0);
  }
  const nearestStream = supportsInBandParameterSets(headers['user-agent'])
    ? await openNearestRendition({ storage, renditionRequests }, { source, rendition, file })
    : null;
  const stream = nearestStream ?? (await openSubstitute(storage, source, segment.uri));
  return substituteAnswer(assetId, contentType, { stream }, null);
}

/** Opens the same segment in the nearest rendition that has it; null if none has it. */
async function openNearestRendition(
  { storage, renditionRequests }: Pick<ServeRenditionOptions, 'storage' | 'renditionRequests'>,
  { source, rendition, file }: Pick<MediaRequest, 'source' | 'rendition' | 'file'>,
): Promise<NonNullable<Answer['stream']> | null> {
  for (const { name } of replacementsOf(source.renditions, rendition)) {
    const object = await renditionRequests.findStored({ assetId: source.filesId, rendition: name, file });
    if (object) return { bytes: object.bytes, open: () => openStored(storage, object.key) };
  }
  return null;
}

/** The answer with a substitute for a file that is not encoded yet. */
function substituteAnswer(
  assetId: string,
  contentType: string,
  content: Pick<Answer, 'body' | 'stream'>,
  secondsPerByte: number | null,
): Answer {
  // No validator and no ranges, because caches must not combine the substitute with the later file.
  return {
    status: 200,
    headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' },
    ...content,
    delivery: { kind: 'asset', id: assetId, secondsPerByte },
  };
}
