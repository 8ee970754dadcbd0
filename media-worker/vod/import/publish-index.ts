import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSpec } from '@/lib/core/media/video-spec';
import { indexKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { writeIndex } from '@/media-worker/vod/index/write-index';

interface IndexOptions {
  readonly storage: Pick<StorageDriver, 'putFile' | 'delete'>;
  readonly dataDir: string;
  /** Folder for files before they are stored. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/** The file from which the HLS of an asset is generated. */
export interface PlayedSource {
  /** Path on the local disk. */
  readonly path: string;
  /** Name of the file in the folder of the asset. */
  readonly file: string;
  /** Facts about the content of the file. */
  readonly spec: FileSpec;
  /** SHA-256 of the uploaded file. */
  readonly contentHash: string;
}

/**
 * Stores the index of an asset's file, which takes precedence over a copy of its HLS.
 * @returns the playable seconds, or the reason why HLS cannot be generated and no index was stored
 * @throws FfmpegKilled, StorageError `full`
 */
export async function publishIndex(
  { storage, dataDir, scratch, signal }: IndexOptions,
  filesId: string,
  { path, file, spec, contentHash }: PlayedSource,
): Promise<{ readonly seconds: number } | { readonly rejection: string }> {
  const indexPath = join(scratch, 'file.index');
  // The storage may hold a hard link to the file of an earlier run.
  await rm(indexPath, { force: true });
  const video = spec.tracks.find((track) => track.type === 'video');
  const frameRate = video && 'fps' in video ? video.fps : undefined;
  const writeResult = await writeIndex(
    {
      input: path,
      output: indexPath,
      source: { file, contentHash, frameRate },
      tracks: spec.tracks.map(({ type }) => type),
    },
    { dataDir, signal, threads: 1 },
  );
  if ('rejection' in writeResult) {
    await storage.delete(indexKey(filesId));
    return writeResult;
  }
  await storage.putFile(indexKey(filesId), indexPath, { signal });
  return writeResult;
}

/** The SHA-256 among the hashes of a file. */
export const sha256Of = (hashes: readonly { readonly hash: string; readonly algorithm: string }[]): string =>
  hashes.find(({ algorithm }) => algorithm === 'sha256')?.hash ?? '';
