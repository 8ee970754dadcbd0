import { locateAsset } from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { listen } from '@/lib/infra/notifications';
import { openQueues } from '@/lib/infra/queue/queue';
import type { StorageDriver } from '@/lib/infra/storage';
import { AudioFiles } from '@/media-worker/origin/audio-files';
import { AskRendition } from '@/media-worker/origin/renditions/ask-rendition';
import { serveRenditions } from '@/media-worker/origin/renditions/serve-rendition';
import { type ServeAsset, createServeAsset } from '@/media-worker/origin/serve-asset';
import { every } from '../process/every';
import type { Lifecycle } from '../process/lifecycle';

const renditionsMs = 30_000;

/** Files of assets for viewers. @param storage what viewers read */
export function serveAssets(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  storage: Pick<StorageDriver, 'head' | 'read'>,
): ServeAsset {
  const audio = new AudioFiles(ctx);
  lifecycle.own('audio files', () => audio.close());
  return createServeAsset({
    ...{ storage, audio, locate: (playbackId: string) => locateAsset(ctx, playbackId) },
    ...(ctx.settings.renditionCacheBytes > 0 ? { renditions: renditionsFor(ctx, lifecycle, storage) } : {}),
  });
}

/** Renditions that the jobs role encodes when viewers request them. */
function renditionsFor(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  storage: Pick<StorageDriver, 'head' | 'read'>,
) {
  const queues = openQueues(ctx.settings, ctx.log);
  lifecycle.own('queues', () => queues.close(), 3_500);
  const asking = new AskRendition({ ctx, storage, queues });
  const told = (key: string | null) => key !== null && asking.ended(key);
  const listener = listen(ctx.settings.databaseUrl, 'rendition_ended', told, ctx.log);
  lifecycle.own('notifications of renditions', () => listener.close());
  const recording = every(renditionsMs, 'use of renditions', ctx.log, () => asking.recordUse());
  lifecycle.own('use of renditions', () => recording.close());
  return serveRenditions({ storage, asking });
}
