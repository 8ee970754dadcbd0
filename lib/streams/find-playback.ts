import { findAssetPlayback } from '@/lib/assets';
import type { Context } from '@/lib/context';
import type { Playback } from '@/lib/contract/playback';
import { AppError } from '@/lib/core/errors';
import { findRecordedSession, recordingAddresses } from '@/lib/sessions';

const shape = /^[a-z0-9]{16}$/;

interface NamedPlayback {
  /** What its owner calls it. */
  readonly name: string;
  readonly playback: Playback;
}

/**
 * Where a playback id, of a stream or of an asset, or the recording of a session by the session's id, can be played, for
 * anybody.
 * @throws AppError `not_found`, also for a suspended or deleted stream, and what is not ready
 */
export async function findPlayback(ctx: Context, playbackId: string): Promise<Playback> {
  return (await findNamedPlayback(ctx, playbackId)).playback;
}

/** The same with its name, which pages for viewers and those who embed them show. */
export async function findNamedPlayback(ctx: Context, playbackId: string): Promise<NamedPlayback> {
  const found = shape.test(playbackId)
    ? ((await findStreamPlayback(ctx, playbackId)) ?? (await findAssetPlayback(ctx, playbackId)))
    : await findRecordingPlayback(ctx, playbackId);
  if (!found) throw new AppError('not_found', `No playback URL found for ${playbackId.slice(0, 100)}`);
  return found;
}

async function findRecordingPlayback(ctx: Context, sessionId: string): Promise<NamedPlayback | null> {
  const session = await findRecordedSession(ctx, sessionId);
  if (!session) return null;
  const { recordingUrl, mp4Url } = recordingAddresses(ctx.settings, session.id);
  const source = [
    { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url: recordingUrl },
    { hrn: 'MP4', type: 'html5/video/mp4', url: mp4Url },
  ] satisfies Playback['meta']['source'];
  return { name: session.name, playback: { type: 'recording', meta: { source } } };
}

async function findStreamPlayback(ctx: Context, playbackId: string): Promise<NamedPlayback | null> {
  const stream = await ctx.db.stream.findFirst({
    where: {
      playbackId,
      parentId: null,
      deletedAt: null,
      suspended: false,
      account: { suspended: false },
    },
    select: { name: true, isActive: true },
  });
  if (!stream) return null;
  const folder = `${ctx.settings.cdnUrl}/hls/${playbackId}`;
  const thumbnail = { hrn: 'Thumbnail (JPEG)', type: 'image/jpeg', url: `${folder}/thumbnail.jpg` } as const;
  const source: Playback['meta']['source'] = [
    { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url: `${folder}/index.m3u8` },
    // There is a picture only of what is on air.
    ...(stream.isActive ? [thumbnail] : []),
  ];
  return { name: stream.name, playback: { type: 'live', meta: { live: stream.isActive ? 1 : 0, source } } };
}
