import type { IncomingHttpHeaders } from 'node:http';
import { findIpfsContent, locateAsset, readTrackText } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { openDiskCache } from '@/lib/infra/cache/cache-folder';
import { listen } from '@/lib/infra/notifications';
import { openQueues } from '@/lib/infra/queue/queue';
import { findDvrSession, findRecordedSession } from '@/lib/domain/sessions';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { IndexRepair } from '@/media-worker/vod/import/repair-index';
import { createUnfinishedPlaylistReader } from '@/media-worker/recording/unfinished-recordings';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import type { OriginOptions } from '@/media-worker/delivery/origin/server';
import { AssetPictures } from './asset-pictures';
import { AudioFiles } from './audio-files';
import { createCachedReads } from './cached-reads';
import { RenditionRequests } from './renditions/rendition-requests';
import { createServeRendition } from './renditions/serve-rendition';
import { createServeAsset } from './serve-asset';
import { Dvr } from './serve-dvr';
import { createServeIpfs } from './serve-ipfs';
import { servePictureFile } from './serve-uploaded-picture';
import { createServeTracks } from './serve-tracks';

const USAGE_INTERVAL_MS = 30_000;

/** Creates the part of an origin that serves stored content: assets, recordings, DVR, IPFS content and uploaded pictures. */
export async function createStoredContent(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
): Promise<Pick<OriginOptions, 'recordings' | 'dvr' | 'serveAsset' | 'serveIpfs' | 'serveUploadedPicture'>> {
  const storage = await openViewerReads(ctx);
  return {
    ...createRecordings(ctx, storage),
    serveAsset: createAssets(ctx, lifecycle, openIndexedReads(ctx, lifecycle, storage)),
    serveIpfs: createServeIpfs({ storage, find: (cid) => findIpfsContent(ctx, cid) }),
    serveUploadedPicture: (path: string, headers: IncomingHttpHeaders) =>
      servePictureFile(storage, path, headers),
  };
}

/** @param storage storage for viewers */
function createRecordings(ctx: WorkerContext, storage: Awaited<ReturnType<typeof openViewerReads>>) {
  const findSession = (sessionId: string) => findRecordedSession(ctx, sessionId);
  const findSessionForDvr = (playbackId: string) => findDvrSession(ctx, playbackId);
  return {
    recordings: {
      storage,
      sessions: new LookupCache(findSession, ctx.clock),
      unfinished: createUnfinishedPlaylistReader(ctx.storage),
    },
    dvr: new Dvr({
      storage,
      list: (prefix) => ctx.storage.list(prefix),
      sessions: new LookupCache(findSessionForDvr, ctx.clock),
    }),
  };
}

/** @param storage storage for viewers */
function createAssets(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  storage: ReturnType<typeof openIndexedReads>,
) {
  const audio = new AudioFiles(ctx);
  lifecycle.own('audio files', () => audio.close());
  const tracks = createServeTracks({ storage, readText: (id) => readTrackText(ctx, id) });
  const pictures = new AssetPictures({ storage, log: ctx.log });
  lifecycle.own('asset pictures', () => pictures.close());
  const locate = (playbackId: string) => locateAsset(ctx, playbackId);
  const renditions =
    ctx.settings.renditionCacheBytes > 0 ? { renditions: createRenditions(ctx, lifecycle, storage) } : {};
  return createServeAsset({ storage, audio, pictures, tracks, locate, ...renditions });
}

/** Creates the storage for viewers that also contains HLS made from indexes. */
function openIndexedReads(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  storage: Awaited<ReturnType<typeof openViewerReads>>,
) {
  const repair = new IndexRepair(ctx);
  lifecycle.own('index repair', () => repair.close());
  return createIndexedReads(storage, { repair: (filesId) => repair.repair(filesId) });
}

/** Creates the function that serves renditions, which the jobs role encodes on request. */
function createRenditions(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  storage: ReturnType<typeof openIndexedReads>,
) {
  const queues = openQueues(ctx.settings, ctx.log);
  lifecycle.own('queues', () => queues.close(), 3_500);
  const renditionRequests = new RenditionRequests({ ctx, storage, queues });
  const onRendition = (key: string | null) => key !== null && renditionRequests.markEnded(key);
  const listener = listen(ctx.settings.databaseUrl, 'rendition_ended', onRendition, ctx.log);
  lifecycle.own('rendition notifications', () => listener.close());
  const usageTimer = runPeriodically(USAGE_INTERVAL_MS, 'rendition usage', ctx.log, () =>
    renditionRequests.recordUse(),
  );
  lifecycle.own('rendition usage', () => usageTimer.close());
  return createServeRendition({ storage, renditionRequests });
}

/** Opens the storage for viewers. Files on S3 are cached on the disk of this machine. */
async function openViewerReads({ storage, settings }: WorkerContext) {
  if (settings.s3 === undefined) return storage;
  const slices = await openDiskCache(settings.dataDir, settings.originCacheBytes);
  return slices === null ? storage : createCachedReads(storage, slices);
}
