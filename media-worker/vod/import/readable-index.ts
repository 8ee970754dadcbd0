import type { WorkerContext } from '@/lib/domain/context';
import type { IndexedFile } from '@/media-worker/vod/index/open-segment';
import { nullIfDamaged, openStoredIndex } from '@/media-worker/vod/index/indexed-reads';

/** The index of an asset; null if it is missing or damaged. */
export async function openReadableIndex(
  { storage }: Pick<WorkerContext, 'storage'>,
  filesId: string,
): Promise<IndexedFile | null> {
  return openStoredIndex(storage, filesId).catch(nullIfDamaged);
}
