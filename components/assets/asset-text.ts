import type { Translator } from '@/components/i18n/messages';
import type { Language } from '@/messages/languages';
import { formatBitrate } from '@/components/ui/figures';
import type { StatusTone } from '@/components/ui/status-pill';
import { isRestricted } from '@/lib/core/access/playback-policy';
import type { Asset } from '@/lib/contract/assets/asset';
import { codecName } from '@/lib/core/media/media-rules';
import { isPlainMp4 } from '@/lib/core/media/video-spec';
import { readUrl } from '@/lib/core/read-url';

type AssetTextTranslator = Translator<'assets.assetText'>;

/** A name for the file at a URL: the last path segment without its extension, or "Import". */
export function nameFromUrl(t: AssetTextTranslator, url: string): string {
  const fileName =
    readUrl(url.trim())
      ?.pathname.split('/')
      .findLast((part) => part !== '') ?? '';
  return decodePercentEncoding(fileName).replace(/\.[A-Za-z0-9]{1,5}$/, '') || t('source.url');
}

/** Decoded text, or the text itself if its percent-encoding is invalid. */
function decodePercentEncoding(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const phaseTones: Record<Asset['status']['phase'], StatusTone> = {
  ready: 'accent',
  failed: 'warn',
  processing: 'idle',
  uploading: 'idle',
  waiting: 'idle',
  deleting: 'warn',
  deleted: 'warn',
};

/** Label and tone of the state of an asset. */
export function assetStatus(
  t: AssetTextTranslator,
  { status }: Pick<Asset, 'status'>,
): { label: string; tone: StatusTone } {
  const { phase, progress } = status;
  const label =
    phase === 'processing' && progress !== undefined
      ? t('processingPercent', { percent: Math.floor(progress * 100) })
      : t(`state.${phase}`);
  return { label, tone: phaseTones[phase] };
}

/** Whether the asset is in the trash and can only be restored. */
export function isDeleted({ status: { phase } }: Pick<Asset, 'status'>): boolean {
  return phase === 'deleting' || phase === 'deleted';
}

/** Source of an asset as a short label. */
export function assetSourceLabel(
  t: AssetTextTranslator,
  { source, sourceAssetId }: Pick<Asset, 'source' | 'sourceAssetId'>,
): string {
  if (sourceAssetId !== undefined) return t('source.transcode');
  if (source.type === 'clip' && source.by === 'viewer') return t('source.viewerClip');
  return t(`source.${source.type}`);
}

/** Formats the duration of a video, rounded to seconds: "1:02", "1:02:03". */
export function formatVideoDuration(seconds: number): string {
  const totalSeconds = Math.round(seconds);
  const [hours, minutes] = [Math.floor(totalSeconds / 3600), Math.floor((totalSeconds % 3600) / 60)];
  const paddedSeconds = String(totalSeconds % 60).padStart(2, '0');
  return hours > 0
    ? `${hours}:${String(minutes).padStart(2, '0')}:${paddedSeconds}`
    : `${minutes}:${paddedSeconds}`;
}

type Track = NonNullable<Asset['videoSpec']>['tracks'][number];

/** Describes a track in one line: "H.264 · 1280×720 · 25 fps · 2.5 Mbit/s". */
export function describeTrack(t: AssetTextTranslator, track: Track, language: Language): string {
  const codec = codecName({ codec_name: track.codec });
  const parts =
    track.type === 'video'
      ? [
          `${track.width}×${track.height}`,
          `${track.fps.toLocaleString(language, { maximumFractionDigits: 2 })} fps`,
        ]
      : [
          t('channels', { count: track.channels }),
          `${(track.sampleRate / 1000).toLocaleString(language, { maximumFractionDigits: 1 })} kHz`,
        ];
  return [codec, ...parts, formatBitrate(track.bitrate, language)].join(' · ');
}

/** Codec, size and frame rate of the video, or the codec of an audio file: "H.264 · 1080p50". */
export function describeFile(t: AssetTextTranslator, { tracks }: NonNullable<Asset['videoSpec']>): string {
  const video = tracks.find(({ type }) => type === 'video');
  // The name of a size is its smaller side, so portrait video is named like landscape video.
  if (video?.type === 'video')
    return `${codecName({ codec_name: video.codec })} · ${Math.min(video.width, video.height)}p${Math.round(video.fps)}`;
  const [audio] = tracks;
  return audio?.type === 'audio'
    ? `${codecName({ codec_name: audio.codec })} · ${t('channels', { count: audio.channels })}`
    : '';
}

type AssetPictures = Pick<Asset, 'playbackUrl' | 'playbackPolicy' | 'posterTime' | 'posterUrl'>;

/**
 * URL of the uploaded poster of an asset, or of the frame next to its playlist; null for a restricted or unplayable
 * asset.
 */
export function posterUrlOf(asset: AssetPictures): string | null {
  if (asset.posterUrl !== undefined) return asset.posterUrl;
  const url = urlBesidePlaylist(asset, 'poster.jpg');
  // The poster time is in the URL, because browsers cache a poster for a minute.
  return url && asset.posterTime !== undefined ? `${url}?at=${asset.posterTime}` : url;
}

/** URL of a silent preview of a few seconds, for playable assets with video. */
export const previewUrlOf = (asset: AssetPictures & Pick<Asset, 'videoSpec'>): string | null =>
  hasVideo(asset) ? urlBesidePlaylist(asset, 'preview.webp') : null;

export const hasVideo = ({ videoSpec }: Pick<Asset, 'videoSpec'>): boolean =>
  videoSpec?.tracks.some(({ type }) => type === 'video') ?? false;

function urlBesidePlaylist({ playbackUrl, playbackPolicy }: AssetPictures, file: string): string | null {
  // Pictures of restricted assets need a token, which lists do not have.
  if (playbackPolicy && isRestricted(playbackPolicy)) return null;
  return playbackUrl === undefined ? null : new URL(file, playbackUrl).href;
}

/**
 * Whether the MP4 file was converted from another format. Recordings and clips always keep the codec of the
 * encoder.
 */
export const isConverted = ({ videoSpec, source }: Pick<Asset, 'videoSpec' | 'source'>): boolean =>
  videoSpec !== undefined && !['recording', 'clip'].includes(source.type) && !isPlainMp4(videoSpec);
