import { mp4 } from '@/lib/core/media/container';
import { MovieError, withFile } from '@/media-worker/vod/index/byte-source';
import { NeedsConversion } from '@/media-worker/vod/index/needs-conversion';
import { changesConfig } from '@/media-worker/vod/index/played-tracks';
import type { AcceptedFile } from './accept-file';

/**
 * Checks that ffmpeg can copy the tracks of an MP4 or MOV: it copies only the first configuration of a track.
 * @throws NeedsConversion if a track would be copied whose configuration changes
 */
export async function checkCopiedTracks(
  path: string,
  { handling, container }: Pick<AcceptedFile, 'handling' | 'container'>,
): Promise<void> {
  const isCopied =
    handling.kind === 'remux' ||
    (handling.kind === 'encode' && [handling.video, handling.audio].includes('copy'));
  if (!isCopied || container.demuxer !== mp4.demuxer) return;
  try {
    if (!(await withFile(path, changesConfig))) return;
  } catch (error) {
    // An unreadable file is rejected with a better reason when its index is made.
    if (error instanceof MovieError) return;
    throw error;
  }
  throw new NeedsConversion('its coding changes');
}
