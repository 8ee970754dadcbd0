import { hlsPrefix } from '@/lib/core/storage-keys';
import { NeedsConversion } from '@/media-worker/vod/index/needs-conversion';
import type { TaskJob } from '@/media-worker/vod/tasks/task-job';
import { type PlayedSource, publishIndex } from './publish-index';

type Awaitable<T> = { readonly [Key in keyof T]: T[Key] | Promise<T[Key]> };

/**
 * Publishes the HLS of an asset by storing the index from which it is generated on request.
 * @returns the playable seconds
 * @throws NeedsConversion if the index cannot be laid out; FfmpegKilled; StorageError `full`
 */
export async function publishHls(
  { ctx, signal, scratch }: TaskJob,
  assetId: string,
  { spec, ...source }: Awaitable<PlayedSource>,
): Promise<number> {
  const { dataDir } = ctx.settings;
  const [path, file, contentHash] = await Promise.all([source.path, source.file, source.contentHash]);
  const indexOptions = { storage: ctx.storage, dataDir, scratch, signal };
  const indexResult = await publishIndex(indexOptions, assetId, {
    path,
    file,
    contentHash,
    spec: await spec,
  });
  if (!('seconds' in indexResult)) throw new NeedsConversion(indexResult.rejection);
  // Deletes files of an interrupted run.
  await ctx.storage.deletePrefix(hlsPrefix(assetId));
  return indexResult.seconds;
}
