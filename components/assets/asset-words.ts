import type { StatusTone } from '@/components/ui/status-pill';
import type { Asset } from '@/lib/contract/assets/asset';

/** A name for the file at a URL: the last path segment without its extension, or "Import". */
export function nameOfUrl(url: string): string {
  if (!URL.canParse(url.trim())) return 'Import';
  const last = new URL(url.trim()).pathname.split('/').findLast((part) => part !== '') ?? '';
  return decoded(last).replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'Import';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The one word for an asset's state, and its colour. */
export function assetStatus({ status }: Pick<Asset, 'status'>): { label: string; tone: StatusTone } {
  const { phase, progress } = status;
  switch (phase) {
    case 'ready':
      return { label: 'Ready', tone: 'accent' };
    case 'failed':
      return { label: 'Failed', tone: 'warn' };
    case 'processing':
      return {
        label: progress === undefined ? 'Processing' : `Processing ${Math.floor(progress * 100)} %`,
        tone: 'idle',
      };
    case 'uploading':
      return { label: 'Uploading', tone: 'idle' };
    case 'waiting':
      return { label: 'Waiting', tone: 'idle' };
    case 'deleting':
    case 'deleted':
      return { label: 'Deleted', tone: 'warn' };
  }
}

/** It can only be restored. */
export function isDeleted({ status: { phase } }: Pick<Asset, 'status'>): boolean {
  return phase === 'deleting' || phase === 'deleted';
}

/** Where an asset came from, in a word. */
export function assetSourceWord({ source, sourceAssetId }: Pick<Asset, 'source' | 'sourceAssetId'>): string {
  if (sourceAssetId !== undefined) return 'Transcode';
  return { directUpload: 'Upload', url: 'Import', recording: 'Recording' }[source.type];
}

/** Seconds as a player shows them: "1:02", "1:02:03". */
export function clockOf(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** Bits a second, with three digits that matter. */
export function bitrateInWords(bitsPerSecond: number): string {
  return bitsPerSecond >= 999_500
    ? `${(bitsPerSecond / 1_000_000).toFixed(1)} Mbit/s`
    : `${Math.round(bitsPerSecond / 1_000)} kbit/s`;
}

type Track = NonNullable<Asset['videoSpec']>['tracks'][number];

/** A track in a line: "h264 · 1280×720 · 25 fps · 2.5 Mbit/s". */
export function trackInWords(track: Track): string {
  const codec = { h264: 'H.264', aac: 'AAC' }[track.codec] ?? track.codec;
  const parts =
    track.type === 'video'
      ? [`${track.width}×${track.height}`, `${Number(track.fps.toFixed(2))} fps`]
      : [channelsInWords(track.channels), `${Number((track.sampleRate / 1000).toFixed(1))} kHz`];
  return [codec, ...parts, bitrateInWords(track.bitrate)].join(' · ');
}

function channelsInWords(channels: number): string {
  return { 1: 'mono', 2: 'stereo' }[channels] ?? `${channels} channels`;
}

/** The poster of a playable asset; it is next to its playlist. */
export function posterOf({ playbackUrl }: Pick<Asset, 'playbackUrl'>): string | null {
  return playbackUrl === undefined ? null : new URL('poster.jpg', playbackUrl).href;
}
