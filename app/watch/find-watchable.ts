import { connection } from 'next/server';
import { findUnreadyAsset, type UnreadyAsset } from '@/lib/assets';
import { AppError } from '@/lib/core/errors';
import { services } from '@/lib/http/services';
import { findPlayback } from '@/lib/streams';

/** What the pages for viewers show at a playback id. */
export interface Watchable {
  /** Of what; names are for the account's owner. */
  readonly title: 'Live stream' | 'Video';
  /** Address of the HLS playlist; null while there is nothing to play yet. */
  readonly src: string | null;
  /** A picture to show until it plays. */
  readonly poster?: string | undefined;
  /** Present while `src` is null. */
  readonly unready?: UnreadyAsset;
}

/** Null when there is nothing at this id, or not any more. */
export async function findWatchable(playbackId: string): Promise<Watchable | null> {
  await connection();
  const { db, clock, secrets, settings, log } = services();
  const ctx = { actor: { kind: 'anonymous' }, db, clock, secrets, settings, log } as const;
  try {
    const { type, meta } = await findPlayback(ctx, playbackId);
    const urlOf = (wanted: string) => meta.source.find((source) => source.type === wanted)?.url;
    const src = urlOf('html5/application/vnd.apple.mpegurl');
    if (src === undefined) return null;
    return { title: type === 'live' ? 'Live stream' : 'Video', src, poster: urlOf('image/jpeg') };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    const unready = await findUnreadyAsset(ctx, playbackId);
    return unready && { title: 'Video', src: null, unready };
  }
}

/** Address of the machine-readable description of a page (oEmbed). */
export function oembedUrlOf(playbackId: string): string {
  const { baseUrl } = services().settings;
  return `${baseUrl}/api/oembed?url=${encodeURIComponent(`${baseUrl}/watch/${playbackId}`)}`;
}
