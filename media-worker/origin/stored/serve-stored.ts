import type { IncomingHttpHeaders } from 'node:http';
import { findIpfsContent, locateAsset, readTrackText } from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { openDiskCache } from '@/lib/infra/cache/cache-folder';
import { findDvrSession, findRecordedSession } from '@/lib/sessions';
import type { Lifecycle } from '@/media-worker/process/lifecycle';
import { recordingsSoFar } from '@/media-worker/recording/recordings-so-far';
import { LookupCache } from '../lookup-cache';
import type { OriginOptions } from '../server';
import { AssetPictures } from './asset-pictures';
import { AudioFiles } from './audio-files';
import { cachedReads } from './cached-reads';
import { createServeAsset } from './serve-asset';
import { Dvr } from './serve-dvr';
import { createServeIpfs } from './serve-ipfs';
import { serveLogoFile } from './serve-logo';
import { serveTracks } from './serve-tracks';

/** What an origin serves from the storage: assets, recordings, logos. */
export async function serveStored(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
): Promise<Pick<OriginOptions, 'recordings' | 'dvr' | 'serveAsset' | 'serveIpfs' | 'serveLogo'>> {
  const storage = await readsForViewers(ctx);
  return {
    ...serveRecordings(ctx, storage),
    serveAsset: serveAssets(ctx, lifecycle, storage),
    serveIpfs: createServeIpfs({ storage, find: (cid) => findIpfsContent(ctx, cid) }),
    serveLogo: (path: string, headers: IncomingHttpHeaders) => serveLogoFile(storage, path, headers),
  };
}

/** @param storage what viewers read */
function serveRecordings(ctx: WorkerContext, storage: Awaited<ReturnType<typeof readsForViewers>>) {
  const recorded = (sessionId: string) => findRecordedSession(ctx, sessionId);
  const running = (playbackId: string) => findDvrSession(ctx, playbackId);
  return {
    recordings: {
      storage,
      sessions: new LookupCache(recorded, ctx.clock),
      soFar: recordingsSoFar(ctx.storage),
    },
    dvr: new Dvr({
      storage,
      list: (prefix) => ctx.storage.list(prefix),
      sessions: new LookupCache(running, ctx.clock),
    }),
  };
}

/** @param storage what viewers read */
function serveAssets(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  storage: Awaited<ReturnType<typeof readsForViewers>>,
) {
  const audio = new AudioFiles(ctx);
  lifecycle.own('audio files', () => audio.close());
  const tracks = serveTracks({ storage, readText: (id) => readTrackText(ctx, id) });
  const pictures = new AssetPictures({ storage, log: ctx.log });
  lifecycle.own('pictures of assets', () => pictures.close());
  const locate = (playbackId: string) => locateAsset(ctx, playbackId);
  return createServeAsset({ storage, audio, pictures, tracks, locate });
}

/** Files that are elsewhere are kept on the disk of this machine. */
async function readsForViewers({ storage, settings }: WorkerContext) {
  if (settings.s3 === undefined) return storage;
  const slices = await openDiskCache(settings.dataDir, settings.originCacheBytes);
  return slices === null ? storage : cachedReads(storage, slices);
}
