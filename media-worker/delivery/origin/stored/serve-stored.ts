import type { IncomingHttpHeaders } from 'node:http';
import { findIpfsContent, locateAsset, readTrackText } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { openDiskCache } from '@/lib/infra/cache/cache-folder';
import { listen } from '@/lib/infra/notifications';
import { openQueues } from '@/lib/infra/queue/queue';
import { findDvrSession, findRecordedSession } from '@/lib/domain/sessions';
import { every } from '@/media-worker/kit/process/every';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { indexedReads } from '@/media-worker/vod/index/indexed-reads';
import { IndexRepair } from '@/media-worker/vod/import/repair-index';
import { unfinishedRecordings } from '@/media-worker/recording/unfinished-recordings';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import type { OriginOptions } from '@/media-worker/delivery/origin/server';
import { AssetPictures } from './asset-pictures';
import { AudioFiles } from './audio-files';
import { cachedReads } from './cached-reads';
import { RenditionRequests } from './renditions/rendition-requests';
import { serveRenditions } from './renditions/serve-rendition';
import { createServeAsset } from './serve-asset';
import { Dvr } from './serve-dvr';
import { createServeIpfs } from './serve-ipfs';
import { serveLogoFile } from './serve-logo';
import { serveTracks } from './serve-tracks';

const renditionsMs = 30_000;

/** Serves stored content: assets, recordings, logos. */
export async function serveStored(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
): Promise<Pick<OriginOptions, 'recordings' | 'dvr' | 'serveAsset' | 'serveIpfs' | 'serveLogo'>> {
  const storage = await readsForViewers(ctx);
  return {
    ...serveRecordings(ctx, storage),
    serveAsset: serveAssets(ctx, lifecycle, hlsOfIndexes(ctx, lifecycle, storage)),
    serveIpfs: createServeIpfs({ storage, find: (cid) => findIpfsContent(ctx, cid) }),
    serveLogo: (path: string, headers: IncomingHttpHeaders) => serveLogoFile(storage, path, headers),
  };
}

/** @param storage storage for viewers */
function serveRecordings(ctx: WorkerContext, storage: Awaited<ReturnType<typeof readsForViewers>>) {
  const findSession = (sessionId: string) => findRecordedSession(ctx, sessionId);
  const running = (playbackId: string) => findDvrSession(ctx, playbackId);
  return {
    recordings: {
      storage,
      sessions: new LookupCache(findSession, ctx.clock),
      unfinished: unfinishedRecordings(ctx.storage),
    },
    dvr: new Dvr({
      storage,
      list: (prefix) => ctx.storage.list(prefix),
      sessions: new LookupCache(running, ctx.clock),
    }),
  };
}

/** @param storage storage for viewers */
function serveAssets(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  storage: ReturnType<typeof indexedReads>,
) {
  const audio = new AudioFiles(ctx);
  lifecycle.own('audio files', () => audio.close());
  const tracks = serveTracks({ storage, readText: (id) => readTrackText(ctx, id) });
  const pictures = new AssetPictures({ storage, log: ctx.log });
  lifecycle.own('asset pictures', () => pictures.close());
  const locate = (playbackId: string) => locateAsset(ctx, playbackId);
  const renditions =
    ctx.settings.renditionCacheBytes > 0 ? { renditions: renditionsFor(ctx, lifecycle, storage) } : {};
  return createServeAsset({ storage, audio, pictures, tracks, locate, ...renditions });
}

/** Storage for viewers, with HLS made from indexes. */
function hlsOfIndexes(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  storage: Awaited<ReturnType<typeof readsForViewers>>,
) {
  const repair = new IndexRepair(ctx);
  lifecycle.own('index repair', () => repair.close());
  return indexedReads(storage, { repair: (filesId) => repair.repair(filesId) });
}

/** Renditions that the jobs role encodes on request. */
function renditionsFor(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  storage: ReturnType<typeof indexedReads>,
) {
  const queues = openQueues(ctx.settings, ctx.log);
  lifecycle.own('queues', () => queues.close(), 3_500);
  const renditionRequests = new RenditionRequests({ ctx, storage, queues });
  const onRendition = (key: string | null) => key !== null && renditionRequests.markEnded(key);
  const listener = listen(ctx.settings.databaseUrl, 'rendition_ended', onRendition, ctx.log);
  lifecycle.own('rendition notifications', () => listener.close());
  const usageTimer = every(renditionsMs, 'rendition usage', ctx.log, () => renditionRequests.recordUse());
  lifecycle.own('rendition usage', () => usageTimer.close());
  return serveRenditions({ storage, renditionRequests });
}

/** Remote files are cached on the disk of this machine. */
async function readsForViewers({ storage, settings }: WorkerContext) {
  if (settings.s3 === undefined) return storage;
  const slices = await openDiskCache(settings.dataDir, settings.originCacheBytes);
  return slices === null ? storage : cachedReads(storage, slices);
}
