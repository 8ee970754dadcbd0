'use client';

import { useMemo } from 'react';
import { useIngests } from './stream-queries';

/** Public URLs of this service. */
export interface PublicUrls {
  /** Base URL of the API and the dashboard. */
  baseUrl: string;
  /** RTMP ingest URL, to which a slash and the stream key are appended. */
  rtmp: string;
  /** RTMPS ingest URL; null if TLS is off. */
  rtmps: string | null;
  /** SRT ingest URL; null if SRT is off. */
  srt: string | null;
  /** WebRTC (WHIP) ingest URL, to which a slash and the stream key are appended; null if WebRTC is off. */
  whip: string | null;
  /** URL of the multivariant playlist. */
  playbackUrl: (playbackId: string) => string;
  /** URL of the latest picture of a live stream. */
  thumbnailUrl: (playbackId: string) => string;
}

/**
 * URL that saves a file under the name of its asset or session.
 * @param token token of the owner, for objects that are not public
 */
export const downloadLink = (url: string, token?: string | null): string =>
  `${url}?download${token ? `&token=${token}` : ''}`;

/**
 * Download link for the audio only.
 * @param url URL of the MP4 file of an asset
 */
export const audioLink = (url: string): string => `${url}?download=audio`;

/**
 * Download link for the uploaded file.
 * @param url URL of the MP4 file of an asset
 */
export const originalLink = (url: string): string =>
  // The MP4 is at …/video, the uploaded file at …/source.
  downloadLink(url.replace(/video$/, 'source'));

/** The public URLs of this service; undefined until loaded. */
export function usePublicUrls(): PublicUrls | undefined {
  const ingest = useIngests().data?.[0];
  return useMemo(
    () =>
      ingest && {
        baseUrl: ingest.base,
        rtmp: ingest.ingest,
        rtmps: ingest.ingestTls,
        srt: ingest.ingestSrt,
        whip: ingest.ingestWhip,
        playbackUrl: (playbackId) => `${ingest.playback}/${playbackId}/index.m3u8`,
        thumbnailUrl: (playbackId) => `${ingest.playback}/${playbackId}/thumbnail.jpg`,
      },
    [ingest],
  );
}
