import { connection } from 'next/server';
import { cache } from 'react';
import { findUnreadyAsset, type UnreadyAsset } from '@/lib/assets';
import { AppError } from '@/lib/core/errors';
import { services } from '@/lib/http/services';
import { findNamedPlayback } from '@/lib/streams';

/** What the pages for viewers show at a playback id. */
export interface Watchable {
  /** What its owner calls it. */
  readonly title: string;
  /** Address of the HLS playlist; null while there is nothing to play yet. */
  readonly src: string | null;
  /** A picture to show until it plays. */
  readonly poster?: string | undefined;
  /** Present while `src` is null. */
  readonly unready?: Pick<UnreadyAsset, 'failed' | 'progress'>;
}

/** Null if there is nothing at this id (anymore). Read once per page, however often it is called. */
export const findWatchable = cache(async (playbackId: string): Promise<Watchable | null> => {
  await connection();
  const { db, clock, secrets, settings, log } = services();
  const ctx = { actor: { kind: 'anonymous' }, db, clock, secrets, settings, log } as const;
  try {
    const { name, playback } = await findNamedPlayback(ctx, playbackId);
    const urlOf = (wanted: string) => playback.meta.source.find((source) => source.type === wanted)?.url;
    const src = urlOf('html5/application/vnd.apple.mpegurl');
    if (src === undefined) return null;
    return { title: name, src, poster: urlOf('image/jpeg') };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    const unready = await findUnreadyAsset(ctx, playbackId);
    if (!unready) return null;
    const { name, failed, progress } = unready;
    return { title: name, src: null, unready: { failed, progress } };
  }
});
