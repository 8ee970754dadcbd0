import { connection } from 'next/server';
import { cache } from 'react';
import { getTranslations } from '@/app/messages';
import { findUnreadyAsset, type UnreadyAsset } from '@/lib/domain/assets';
import { findBrand } from '@/lib/domain/brand';
import type { Brand } from '@/lib/contract/accounts/brand';
import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { isRestricted } from '@/lib/core/access/playback-policy';
import type { Context } from '@/lib/domain/context';
import type { Playback, PlaybackStatus } from '@/lib/contract/streams/playback';
import type { Chapter } from '@/lib/core/assets/chapters';
import type { PublicStatus } from '@/lib/core/streams/public-status';
import { AppError } from '@/lib/core/errors';
import { getServices } from '@/lib/http/services';
import {
  describePublicStatus,
  findNamedPlayback,
  getPlaybackStatus,
  listShownRecordings,
  playlistUrlOf,
  type ShownRecording,
} from '@/lib/domain/streams';

/** Media metadata for sites that link to the page. */
export interface WatchableMedia {
  readonly kind: Playback['type'];
  /** Creation of the asset or stream, or start of the recorded session, in Unix milliseconds. */
  readonly publishedAt: number;
  /** Duration in seconds; null if it is endless or unknown. */
  readonly duration: number | null;
  readonly chapters?: readonly Chapter[] | undefined;
  readonly mp4?: { readonly url: string; readonly width?: number; readonly height?: number };
  /** How far viewers can go back in the stream, in seconds; absent: not at all. */
  readonly dvrSeconds?: number | undefined;
  /** Whether viewers may make clips. */
  readonly clips?: boolean;
  /** WHEP endpoint of a stream that is offered over WebRTC. */
  readonly whepUrl?: string | undefined;
  /** Status of a stream; null for recordings and assets. */
  readonly status: PlaybackStatus | null;
}

/** Content of the viewer pages at a playback id. */
export interface Watchable {
  /** Title set by the owner. */
  readonly title: string;
  /** URL of the multivariant playlist (HLS); null while there is nothing to play. */
  readonly src: string | null;
  /** Picture shown until playback starts. */
  readonly poster?: string | undefined;
  /** Description set by the owner, as plain text. */
  readonly description?: string | null;
  /** Recordings of a stream if the owner shows them, newest first. */
  readonly recordings?: readonly ShownRecording[];
  /** State of a stream that viewers see, with its announced start; absent for assets and recordings. */
  readonly publicStatus?: PublicStatus | undefined;
  /** Media that plays or will play; absent if unavailable. */
  readonly media?: WatchableMedia;
  readonly brand?: Brand | null;
  /** Policy of content that requires access. */
  readonly policy?: PublicPlaybackPolicy;
  /** Set if the requested id is the id of a session: the playback id that the page redirects to. */
  readonly pagePlaybackId?: string;
  /** State of an asset that cannot be played yet. */
  readonly unready?: Pick<UnreadyAsset, 'failed' | 'progress'>;
}

/** Content of a playback id; null if there is none. Cached for the request: metadata and page share one result. */
export const findWatchable = cache(async (playbackId: string): Promise<Watchable | null> => {
  await connection();
  const { db, clock, secrets, settings, log } = getServices();
  const ctx = { actor: { kind: 'anonymous' }, db, clock, secrets, settings, log } as const;
  try {
    const match = await findNamedPlayback(ctx, playbackId);
    const { id, name, description, createdAt, duration = null, playback, dvrSeconds } = match;
    if (id !== playbackId) return { title: name, src: null, pagePlaybackId: id };
    const urlOf = (sourceType: string) => playback.meta.source.find(({ type }) => type === sourceType)?.url;
    const src = urlOf('html5/application/vnd.apple.mpegurl');
    if (src === undefined) return null;
    const mp4 = playback.meta.source.find(({ type }) => type === 'html5/video/mp4');
    const isLiveStream = playback.type === 'live';
    const media: WatchableMedia = {
      kind: playback.type,
      publishedAt: createdAt.getTime(),
      duration,
      chapters: playback.meta.chapters,
      ...(mp4 ? { mp4 } : {}),
      dvrSeconds,
      clips: playback.meta.viewerClips === true,
      whepUrl: urlOf('html5/video/h264'), // the type of a WebRTC source
      status: isLiveStream ? await getPlaybackStatus(ctx, playbackId) : null,
    };
    const publicStatus = isLiveStream ? await describePublicStatus(ctx, playbackId) : null;
    const brand = await findBrand(ctx, playbackId);
    const { playbackPolicy } = playback.meta;
    const policy = playbackPolicy && isRestricted(playbackPolicy) ? playbackPolicy : undefined;
    const recordings = isLiveStream ? await listShownRecordings(ctx, playbackId) : [];
    const ownerTexts = { title: name, description };
    const watchable = {
      ...ownerTexts,
      recordings,
      src,
      publicStatus: publicStatus ?? undefined,
      media,
      brand,
    };
    // Posters of restricted content are left out, because they require a token.
    return policy ? { ...watchable, policy } : { ...watchable, poster: urlOf('image/jpeg') };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    const unreadyAsset = await findUnreadyAsset(ctx, playbackId);
    if (!unreadyAsset) return findSuspendedOrDeleted(ctx, playbackId);
    const { name, failed, progress } = unreadyAsset;
    const brand = await findBrand(ctx, playbackId);
    return { title: name, src: null, unready: { failed, progress }, brand };
  }
});

/**
 * Content of a suspended or deleted stream, without its name; null if there is no such stream. A suspended stream has a
 * playlist URL, because it may be resumed while the page is open.
 */
async function findSuspendedOrDeleted(ctx: Context, playbackId: string): Promise<Watchable | null> {
  const publicStatus = await describePublicStatus(ctx, playbackId);
  if (publicStatus?.state === 'deleted')
    return { title: (await getTranslations('player.page'))('deletedStream'), src: null, publicStatus };
  if (publicStatus?.state !== 'unavailable') return null;
  return {
    title: (await getTranslations('player.page'))('unavailableStream'),
    src: playlistUrlOf(ctx.settings, playbackId),
    publicStatus,
  };
}
