import { connection } from 'next/server';
import { AppError } from '@/lib/core/errors';
import { services } from '@/lib/http/services';
import { findPlayback } from '@/lib/streams';

interface Found {
  /** Address of the HLS playlist. */
  readonly src: string;
  /** A picture to show until it plays. */
  readonly poster: string | undefined;
}

/** What a playback id stands for; null when there is nothing to play, or not any more. */
export async function findHls(playbackId: string): Promise<Found | null> {
  await connection();
  const { db, clock, secrets, settings, log } = services();
  try {
    const ctx = { actor: { kind: 'anonymous' }, db, clock, secrets, settings, log } as const;
    const { meta } = await findPlayback(ctx, playbackId);
    const urlOf = (wanted: string) => meta.source.find(({ type }) => type === wanted)?.url;
    const src = urlOf('html5/application/vnd.apple.mpegurl');
    return src === undefined ? null : { src, poster: urlOf('image/jpeg') };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
