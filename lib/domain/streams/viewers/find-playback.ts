import { publicPolicyField } from '@/lib/domain/access';
import { findAssetPlayback } from '@/lib/domain/assets';
import type { Context } from '@/lib/domain/context';
import type { ViewerProof } from '@/lib/contract/access/playback-token';
import type { QueryOf } from '@/lib/contract/define-endpoint';
import type { OEmbed, describeEmbed as describeEmbedEndpoint } from '@/lib/contract/streams/oembed';
import type { Playback } from '@/lib/contract/streams/playback';
import { isRestricted } from '@/lib/core/access/playback-policy';
import { isOwnOrigin } from '@/lib/core/access/origin';
import { notFound } from '@/lib/core/errors';
import { playsOverWebrtc } from '@/lib/core/streams/webrtc-issues';
import { dvrSecondsOf } from '@/lib/core/streams/dvr';
import { quoteAttribute } from '@/lib/core/reply-text';
import type { Settings } from '@/lib/infra/env';
import { findRecordedSession, recordingUrls } from '@/lib/domain/sessions';
import { findChildPlayback } from './find-child-playback';
import { readUrl } from '@/lib/core/read-url';

const playbackIdPattern = /^[a-z0-9]{16}$/;

interface NamedPlayback {
  /** Playback id of the watch page. It differs from the requested id if that belongs to the child stream of a session. */
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: Date;
  /** Announced start of the next session of a stream; null if none is announced. */
  readonly startsAt?: Date | null;
  /** Duration of an asset in seconds; absent or null for a stream or an unknown duration. */
  readonly duration?: number | null;
  /** DVR window of a stream in seconds; absent without DVR. */
  readonly dvrSeconds?: number;
  readonly playback: Playback;
}

/**
 * Public playback info by playback id of a stream or asset, or by session id of a recording. The child stream of a session has
 * the playback of its parent stream or of the recording.
 * @param proof credentials of the viewer, which are appended to the URLs and checked when the URLs are requested
 * @throws AppError `not_found`, including for a suspended or deleted stream and an object that is not ready
 */
export async function findPlayback(ctx: Context, playbackId: string, proof?: ViewerProof): Promise<Playback> {
  return (await findNamedPlayback(ctx, playbackId, proof)).playback;
}

/** Playback with name and description, for the watch page and embeds. */
export async function findNamedPlayback(
  ctx: Context,
  playbackId: string,
  proof: ViewerProof = {},
): Promise<NamedPlayback> {
  const namedPlayback = playbackIdPattern.test(playbackId)
    ? ((await findStreamPlayback(ctx, playbackId)) ??
      (await findPlaybackOfAsset(ctx, playbackId)) ??
      (await findPlaybackOfChild(ctx, playbackId)))
    : await findRecordingPlayback(ctx, playbackId);
  if (!namedPlayback) throw notFound(`No playback URL found for ${playbackId.slice(0, 100)}`);
  return { ...namedPlayback, playback: withViewerProof(namedPlayback.playback, proof) };
}

async function findPlaybackOfAsset(ctx: Context, id: string): Promise<NamedPlayback | null> {
  const assetPlayback = await findAssetPlayback(ctx, id);
  return assetPlayback && { id, ...assetPlayback };
}

async function findPlaybackOfChild(ctx: Context, playbackId: string): Promise<NamedPlayback | null> {
  const child = await findChildPlayback(ctx, playbackId);
  if (!child) return null;
  return child.kind === 'stream'
    ? findStreamPlayback(ctx, child.playbackId)
    : findRecordingPlayback(ctx, child.sessionId);
}

/**
 * Appends the viewer's credentials to the URLs of a restricted playback. Without credentials, pictures and tracks are left out,
 * because they are restricted by the same policy.
 */
function withViewerProof({ type, meta }: Playback, proof: ViewerProof): Playback {
  if (!meta.playbackPolicy || !isRestricted(meta.playbackPolicy)) return { type, meta };
  const query = new URLSearchParams(Object.entries(proof)).toString();
  const withProof = <T extends { readonly url: string }>(link: T): T => ({
    ...link,
    url: `${link.url}${link.url.includes('?') ? '&' : '?'}${query}`,
  });
  const { source, tracks = [], dvrPlayback, ...otherMeta } = meta;
  if (query === '') {
    const playableSources = source.filter(
      (playableSource) => playableSource.type !== 'image/jpeg' && playableSource.type !== 'text/vtt',
    );
    return { type, meta: { ...otherMeta, source: playableSources, ...(dvrPlayback ? { dvrPlayback } : {}) } };
  }
  const proofLinks = {
    ...(tracks.length === 0 ? {} : { tracks: tracks.map(withProof) }),
    ...(dvrPlayback ? { dvrPlayback: dvrPlayback.map(withProof) } : {}),
  };
  return { type, meta: { ...otherMeta, ...proofLinks, source: source.map(withProof) } };
}

async function findRecordingPlayback(ctx: Context, sessionId: string): Promise<NamedPlayback | null> {
  const session = await findRecordedSession(ctx, sessionId);
  if (!session) return null;
  const { recordingUrl, mp4Url } = recordingUrls(ctx.settings, session.id);
  // `hrn` and `type` have the values of the Livepeer Studio API, by which its players choose a source.
  const source = [
    { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url: recordingUrl } as const,
    ...(session.recording === 'ready' ? [{ hrn: 'MP4', type: 'html5/video/mp4', url: mp4Url } as const] : []),
  ] satisfies Playback['meta']['source'];
  const { name, createdAt, parent } = session;
  const meta = { ...publicPolicyField(session), source, ...viewerClipsField(parent.viewerClips) };
  return {
    id: session.id,
    name,
    description: parent.description,
    createdAt,
    playback: { type: 'recording', meta },
  };
}

/** The field `viewerClips`; absent if viewers cannot create clips. */
const viewerClipsField = (offersClips: boolean): Pick<Playback['meta'], 'viewerClips'> =>
  offersClips ? { viewerClips: true } : {};

const folderUrlOf = ({ cdnUrl }: Settings, playbackId: string) => `${cdnUrl}/hls/${playbackId}`;

/** URL of a stream's master playlist, whether the stream is live or not. */
export const playlistUrlOf = (settings: Settings, playbackId: string): string =>
  `${folderUrlOf(settings, playbackId)}/index.m3u8`;

async function findStreamPlayback(ctx: Context, playbackId: string): Promise<NamedPlayback | null> {
  const stream = await ctx.db.stream.findFirst({
    where: {
      playbackId,
      parentId: null,
      deletedAt: null,
      suspended: false,
      team: { suspended: false },
    },
    select: {
      name: true,
      description: true,
      startsAt: true,
      isActive: true,
      createdAt: true,
      playbackPolicy: true,
      issues: true,
      record: true,
      dvrSeconds: true,
      viewerClips: true,
      posterKey: true,
    },
  });
  if (!stream) return null;
  const folderUrl = folderUrlOf(ctx.settings, playbackId);
  const thumbnail = { hrn: 'Thumbnail (JPEG)', type: 'image/jpeg' } as const;
  // Only active streams have a current picture.
  const livePictureUrl = stream.isActive ? `${folderUrl}/thumbnail.jpg` : null;
  const pictureUrl =
    stream.posterKey === null ? livePictureUrl : `${ctx.settings.cdnUrl}/${stream.posterKey}`;
  const hls = { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl' } as const;
  const playlistUrl = playlistUrlOf(ctx.settings, playbackId);
  const dvrSeconds = dvrSecondsOf(stream);
  const dvrPlayback = dvrSeconds > 0 ? { dvrPlayback: [{ ...hls, url: `${playlistUrl}?dvr=1` }] } : {};
  const source: Playback['meta']['source'] = [
    { ...hls, url: playlistUrl },
    ...webrtcSources(ctx.settings, playbackId, stream),
    ...(pictureUrl === null ? [] : [{ ...thumbnail, url: pictureUrl }]),
  ];
  const { name, description, createdAt, startsAt, isActive } = stream;
  return {
    id: playbackId,
    name,
    description,
    createdAt,
    startsAt,
    ...(dvrSeconds > 0 ? { dvrSeconds } : {}),
    playback: {
      type: 'live',
      meta: {
        live: isActive ? 1 : 0,
        ...publicPolicyField(stream),
        source,
        ...dvrPlayback,
        ...viewerClipsField(stream.record && stream.viewerClips),
      },
    },
  };
}

/**
 * WHEP URL of a stream. It is the URL of the origin, because edges and caches do not forward WebRTC. Whether the stream
 * has B-frames is known only while it is live.
 */
function webrtcSources(
  { rtcPort, uploadUrl }: Settings,
  playbackId: string,
  { isActive, issues }: { readonly isActive: boolean; readonly issues: readonly string[] },
): Playback['meta']['source'] {
  if (rtcPort === undefined || (isActive && !playsOverWebrtc(issues))) return [];
  return [{ hrn: 'WebRTC (H264)', type: 'html5/video/h264', url: `${uploadUrl}/webrtc/${playbackId}` }];
}

const defaultSize = { width: 640, height: 360 };
const viewerPagePattern = /^\/(?:watch|embed)\/([a-z0-9-]{16,36})\/?$/;

/**
 * The oEmbed response of a watch page (https://oembed.com).
 * @throws AppError `not_found` for any other URL, and for an object without playback
 */
export async function describeEmbed(
  ctx: Context,
  query: QueryOf<typeof describeEmbedEndpoint>,
): Promise<OEmbed> {
  const { baseUrl } = ctx.settings;
  const playbackId = parsePlaybackId(query.url, baseUrl);
  if (playbackId === null)
    throw notFound({ field: 'url', message: 'is not a page for viewers of this service' });
  const { name: title, playback } = await findNamedPlayback(ctx, playbackId);
  const { width, height } = sizeFor(query);
  const poster = playback.meta.source.find((source) => source.type === 'image/jpeg');
  const allow = 'autoplay; fullscreen; picture-in-picture';
  return {
    version: '1.0',
    type: 'video',
    provider_name: 'Headwater',
    provider_url: baseUrl,
    title,
    // Only the name is user input; id and URL are validated.
    html: `<iframe src="${baseUrl}/embed/${playbackId}" width="${width}" height="${height}" title=${quoteAttribute(title)} style="border: 0" allow="${allow}" allowfullscreen></iframe>`,
    width,
    height,
    ...(poster ? { thumbnail_url: poster.url, thumbnail_width: width, thumbnail_height: height } : {}),
  };
}

/** Playback id in the URL of a watch page or embed of this service; null for any other URL. */
function parsePlaybackId(pageUrl: string, baseUrl: string): string | null {
  const url = readUrl(pageUrl);
  return url && isOwnOrigin(url.origin, baseUrl) ? (viewerPagePattern.exec(url.pathname)?.[1] ?? null) : null;
}

/** Size of the player: 16:9, at most the default size, and smaller if the request limits it. */
function sizeFor({ maxwidth, maxheight }: QueryOf<typeof describeEmbedEndpoint>): {
  width: number;
  height: number;
} {
  const width = Math.min(defaultSize.width, Number(maxwidth ?? defaultSize.width));
  const height = Math.min(Math.round((width * 9) / 16), Number(maxheight ?? defaultSize.height));
  return { width: Math.max(1, Math.min(width, Math.round((height * 16) / 9))), height: Math.max(1, height) };
}
