import { publicPolicyField } from '@/lib/domain/access';
import type { Context, SystemContext } from '@/lib/domain/context';
import type { VideoSpec } from '@/lib/contract/assets/media-spec';
import type { Profile } from '@/lib/contract/streams/profile';
import type { Playback } from '@/lib/contract/streams/playback';
import { isReadyAsset } from '@/lib/core/assets/asset-state';
import { notFound } from '@/lib/core/errors';
import { isPlainMp4 } from '@/lib/core/media/video-spec';
import { type SubtitleTrack, subtitleFiles } from '@/lib/core/hls/subtitles';
import { type Asset, Prisma } from '@/lib/generated/prisma/client';
import { filesIdOf } from './internal';
import { assetFileUrlOf, chaptersOf, mp4UrlOf, playbackUrlOf } from './serialize';
import { playedTracks, subtitleTrackOf } from './tracks/tracks';

/** A ready asset with the location of its files. */
export interface LocatedAsset extends LocatedFile {
  readonly assetId: string;
  readonly name: string;
  /** Time of the frame that the owner chose as poster, in seconds; null for the default frame. */
  readonly posterTime: number | null;
  readonly tracks: readonly SubtitleTrack[];
  /** Renditions requested at creation; null for the defaults of the file. */
  readonly profiles?: readonly Profile[] | null;
  /** Previous files of the asset that are still stored. */
  readonly replacedFiles?: readonly LocatedFile[];
}

/** The file of an asset and everything derived from it. */
export interface LocatedFile {
  /** Number of replacements; absent if the file was never replaced. */
  readonly version?: number;
  /** Folder in the storage. */
  readonly filesId: string;
  /** Storage key of the downloadable file. */
  readonly videoKey: string;
  readonly sourceKey: string;
  /** Container of the original file, as in `videoSpec`. */
  readonly sourceFormat: string;
  readonly hasAudio: boolean;
  readonly hasVideo: boolean;
  /** Seconds; 0 if unknown. */
  readonly duration: number;
}

const fileColumns = {
  id: true,
  filesId: true,
  fileVersion: true,
  videoKey: true,
  sourceKey: true,
  videoSpec: true,
} as const;

/** Locates the files of a ready asset; null for any other asset or playback id. */
export async function locateAsset(ctx: SystemContext, playbackId: string): Promise<LocatedAsset | null> {
  const row = await ctx.db.asset.findFirst({
    where: { playbackId, phase: 'ready', deletedAt: null, team: { suspended: false } },
    select: {
      ...fileColumns,
      name: true,
      posterTime: true,
      profiles: true,
      tracks: playedTracks,
      // The row of a finished replacement has the previous file of the asset.
      replacements: { where: { phase: 'ready', bytesRemovedAt: null }, select: fileColumns },
    },
  });
  const file = row && locateFile(row);
  if (!row || !file) return null;
  const { id: assetId, name, posterTime } = row;
  return {
    ...file,
    assetId,
    name,
    posterTime,
    profiles: row.profiles as readonly Profile[] | null,
    tracks: row.tracks.map(subtitleTrackOf),
    replacedFiles: row.replacements.flatMap((replacement) => locateFile(replacement) ?? []),
  };
}

function locateFile(row: Pick<Asset, keyof typeof fileColumns>): LocatedFile | null {
  const { videoKey, sourceKey, fileVersion: version } = row;
  if (!videoKey || !sourceKey) return null;
  const spec = row.videoSpec as VideoSpec | null;
  const hasTrack = (trackType: string) => spec?.tracks.some(({ type }) => type === trackType) ?? false;
  return {
    version,
    filesId: filesIdOf(row),
    videoKey,
    sourceKey,
    sourceFormat: spec?.format ?? 'mp4',
    hasAudio: hasTrack('audio'),
    hasVideo: hasTrack('video'),
    duration: spec?.duration ?? 0,
  };
}

export interface UnreadyAsset {
  readonly name: string;
  readonly failed: boolean;
  /** 0 to 1; null before the work has started. */
  readonly progress: number | null;
}

/** Status of an asset that is not ready, as viewers see it; null if no asset has this playback id, or it is ready. */
export async function findUnreadyAsset(ctx: Context, playbackId: string): Promise<UnreadyAsset | null> {
  if (!/^[a-z0-9]{16}$/.test(playbackId)) return null;
  const asset = await ctx.db.asset.findFirst({
    where: { playbackId, deletedAt: null, team: { suspended: false } },
    select: { name: true, phase: true, progress: true },
  });
  if (!asset || isReadyAsset(asset.phase)) return null;
  return {
    name: asset.name,
    failed: asset.phase === 'failed',
    progress: asset.phase === 'processing' ? asset.progress : null,
  };
}

type PlaybackSource = Playback['meta']['source'][number];

interface AssetPlayback {
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: Date;
  /** Seconds; null if unknown. */
  readonly duration: number | null;
  readonly playback: Playback;
}

/**
 * Public playback info of an asset: its name and its sources, MP4 first, then HLS.
 * @returns null if no asset has this playback id
 * @throws AppError `not_found` with the status of an asset that is not ready, because players understand a 404
 */
export async function findAssetPlayback(ctx: Context, playbackId: string): Promise<AssetPlayback | null> {
  const asset = await ctx.db.asset.findFirst({
    where: { playbackId, deletedAt: null, team: { suspended: false } },
    select: {
      name: true,
      description: true,
      phase: true,
      size: true,
      videoSpec: true,
      chapters: true,
      hasStoryboard: true,
      posterKey: true,
      createdAt: true,
      playbackPolicy: true,
      tracks: playedTracks,
    },
  });
  if (!asset) return null;
  if (!isReadyAsset(asset.phase)) throw notFound('asset is not ready for playback');
  const spec = asset.videoSpec as VideoSpec | null;
  // `hrn` and `type` have the values of the Livepeer Studio API, by which its players choose a source.
  const mp4: PlaybackSource = {
    hrn: 'MP4',
    type: 'html5/video/mp4',
    url: mp4UrlOf(ctx.settings, playbackId),
    ...(asset.size === null || !spec || !isPlainMp4(spec) ? {} : { size: Number(asset.size) }),
    ...videoFieldsOf(spec),
  };
  const hls: PlaybackSource = {
    hrn: 'HLS (TS)',
    type: 'html5/application/vnd.apple.mpegurl',
    url: playbackUrlOf(ctx.settings, playbackId),
  };
  const poster: PlaybackSource = {
    hrn: 'Thumbnail (JPEG)',
    type: 'image/jpeg',
    url: posterUrlOf(ctx.settings, { playbackId, posterKey: asset.posterKey }),
  };
  const storyboard: PlaybackSource = {
    hrn: 'Thumbnails',
    type: 'text/vtt',
    url: assetFileUrlOf(ctx.settings, playbackId, 'storyboard.vtt'),
  };
  const source = [mp4, hls, poster, ...(asset.hasStoryboard ? [storyboard] : [])];
  const tracks = tracksOf(ctx, playbackId, asset.tracks);
  const { name, description, createdAt } = asset;
  return {
    name,
    description,
    createdAt,
    duration: spec?.duration ?? null,
    playback: { type: 'vod', meta: { ...chaptersOf(asset), ...tracks, ...publicPolicyField(asset), source } },
  };
}

function tracksOf(
  { settings }: Context,
  playbackId: string,
  tracks: readonly Parameters<typeof subtitleTrackOf>[0][],
): Pick<Playback['meta'], 'tracks'> {
  if (tracks.length === 0) return {};
  return {
    tracks: tracks.map(subtitleTrackOf).map(({ id, kind, language, label, isDefault }) => ({
      kind,
      language,
      label,
      default: isDefault,
      url: assetFileUrlOf(settings, playbackId, subtitleFiles(id).text),
    })),
  };
}

function videoFieldsOf(spec: VideoSpec | null): Pick<PlaybackSource, 'width' | 'height' | 'bitrate'> {
  const video = spec?.tracks.find((track) => track.type === 'video');
  if (!spec || video?.type !== 'video') return {};
  const { width, height, bitrate } = video;
  return { width, height, ...(isPlainMp4(spec) ? { bitrate: Math.round(bitrate) } : {}) };
}

/** URL of the uploaded poster, or of a frame of the video. */
const posterUrlOf = (
  settings: Context['settings'],
  { playbackId, posterKey }: { readonly playbackId: string; readonly posterKey: string | null },
): string =>
  posterKey === null ? assetFileUrlOf(settings, playbackId, 'poster.jpg') : `${settings.cdnUrl}/${posterKey}`;

/**
 * Poster URLs of the assets recorded from these sessions, by session id. Excludes assets with a playback policy, whose
 * pictures need a token.
 */
export async function findPosters(
  ctx: Context,
  sessions: readonly { readonly id: string; readonly teamId: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (sessions.length === 0) return new Map();
  const assets = await ctx.db.asset.findMany({
    where: {
      teamId: { in: sessions.map(({ teamId }) => teamId) },
      sourceSessionId: { in: sessions.map(({ id }) => id) },
      sourceType: 'recording',
      phase: 'ready',
      deletedAt: null,
      playbackPolicy: { equals: Prisma.DbNull },
    },
    select: { sourceSessionId: true, playbackId: true, posterKey: true },
  });
  return new Map(
    assets.map(({ sourceSessionId, ...asset }) => [sourceSessionId ?? '', posterUrlOf(ctx.settings, asset)]),
  );
}
