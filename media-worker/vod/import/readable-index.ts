import type { WorkerContext } from '@/lib/domain/context';
import { MovieError } from '@/media-worker/vod/index/byte-source';
import type { IndexedFile } from '@/media-worker/vod/index/open-segment';
import { openIndexOf } from '@/media-worker/vod/index/indexed-reads';
import { IndexError } from '@/media-worker/vod/index/stored-lines';

/** The index of an asset; null if it is missing or damaged. */
export async function readableIndex(
  { storage }: Pick<WorkerContext, 'storage'>,
  filesId: string,
): Promise<IndexedFile | null> {
  return openIndexOf(storage, filesId).catch(ignoreDamage);
}

/** Ignores a damaged index, which is repaired when the asset is watched. */
export function ignoreDamage(error: unknown): null {
  if (error instanceof IndexError || error instanceof MovieError) return null;
  throw error;
}
