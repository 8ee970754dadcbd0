'use client';

import { useMemo } from 'react';
import { useIngests } from './stream-queries';

export interface Addresses {
  /** Base URL of the API and the dashboard. */
  base: string;
  rtmp: string;
  /** RTMPS ingest URL; null if TLS is off. */
  rtmps: string | null;
  /** Over SRT, where there is. */
  srt: string | null;
  playbackUrl: (playbackId: string) => string;
  /** The latest picture of a live stream. */
  thumbnailUrl: (playbackId: string) => string;
}

/**
 * Where a file is saved under the name of its asset or session, instead of shown.
 * @param token of the owner, for what not everybody may watch
 */
export const downloadLink = (url: string, token?: string | null): string =>
  `${url}?download${token ? `&token=${token}` : ''}`;

/** Download link for the audio alone. @param url of an asset's MP4 */
export const audioLink = (url: string): string => `${url}?download=audio`;

/** Download link for the uploaded file. @param url of an asset's MP4 */
export const originalLink = (url: string): string => downloadLink(url.replace(/video$/, 'source'));

/** The public addresses of this server; undefined until they are known. */
export function useAddresses(): Addresses | undefined {
  const first = useIngests().data?.[0];
  return useMemo(
    () =>
      first && {
        base: first.base,
        rtmp: first.ingest,
        rtmps: first.ingestTls,
        srt: first.ingestSrt,
        playbackUrl: (playbackId) => `${first.playback}/${playbackId}/index.m3u8`,
        thumbnailUrl: (playbackId) => `${first.playback}/${playbackId}/thumbnail.jpg`,
      },
    [first],
  );
}
