import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseStoredPlaylist } from '@/lib/core/hls/read-playlist';
import { assetKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';

/**
 * Writes the HLS of an asset to a folder, as viewers get it.
 * @returns the path of the master playlist
 */
export async function saveServedHls(
  storage: Pick<StorageDriver, 'head' | 'read'>,
  filesId: string,
  folder: string,
): Promise<string> {
  const reads = createIndexedReads(storage);
  const save = async (file: string) => {
    const source = await reads.read(assetKey(filesId, `hls/${file}`));
    if (!source) throw new Error(`${file} is missing`);
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, source);
    return path;
  };
  const masterPlaylist = await save('index.m3u8');
  await save('source/index.m3u8');
  const playlist = await reads.read(assetKey(filesId, 'hls/source/index.m3u8'));
  const playlistRows = playlist && parseStoredPlaylist(await text(playlist));
  for (const file of playlistRows
    ? [...playlistRows.inits, ...playlistRows.segments.map(({ uri }) => uri)]
    : [])
    await save(`source/${file}`);
  return masterPlaylist;
}
