import { connection } from 'next/server';
import { AppError } from '@/lib/core/errors';
import { services } from '@/lib/http/services';
import { findPlayback } from '@/lib/streams';

/** Address of the HLS playlist of a playback id; null when there is nothing to play, or not any more. */
export async function findHls(playbackId: string): Promise<string | null> {
  await connection();
  const { db, clock, secrets, settings, log } = services();
  try {
    const ctx = { actor: { kind: 'anonymous' }, db, clock, secrets, settings, log } as const;
    const { meta } = await findPlayback(ctx, playbackId);
    return meta.source.find(({ type }) => type === 'html5/application/vnd.apple.mpegurl')?.url ?? null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
