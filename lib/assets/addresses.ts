import type { Settings } from '@/lib/infra/env';

/** The MP4 download URL. */
export const downloadUrlOf = ({ cdnUrl }: Settings, playbackId: string): string =>
  `${cdnUrl}/asset/${playbackId}/video`;

/** The same file at an address that players know as MP4 by its end, as `@livepeer/core` does. */
export const mp4UrlOf = (settings: Settings, playbackId: string): string =>
  `${downloadUrlOf(settings, playbackId)}/download.mp4`;

/** Pictures of it, beside the file. */
export const assetFileUrlOf = (
  { cdnUrl }: Settings,
  playbackId: string,
  file: 'poster.jpg' | 'storyboard.vtt',
): string => `${cdnUrl}/asset/${playbackId}/${file}`;

/** HLS, next to the file: everything of an asset has one prefix, separate from the live playlists. */
export const playbackUrlOf = ({ cdnUrl }: Settings, playbackId: string): string =>
  `${cdnUrl}/asset/${playbackId}/index.m3u8`;
