/** URL for reports of a playlist: `/cmcd/ID?token=…` for `/hls/ID/index.m3u8?token=…`. */
export const reportUrl = (playlistUrl: string): string =>
  playlistUrl.replace(/\/(?:hls|asset|recordings)\/([^/]+)\/[^?]*/, '/cmcd/$1');

/** The playback id, or the id of the session, in the URL of a playlist; null for other URLs. */
export const playbackIdOf = (playlistUrl: string): string | null =>
  /\/(?:hls|asset|recordings)\/([^/?]+)\//.exec(playlistUrl)?.[1] ?? null;
