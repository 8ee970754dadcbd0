/** Report URL of a playlist: `/hls/ID/index.m3u8?token=…` to `/cmcd/ID?token=…`. */
export const reportUrl = (playlist: string): string =>
  playlist.replace(/\/(?:hls|asset|recordings)\/([^/]+)\/[^?]*/, '/cmcd/$1');

/** The playback id, or the id of the session, in the URL of a playlist. */
export const playbackIdOf = (playlist: string): string | null =>
  /\/(?:hls|asset|recordings)\/([^/?]+)\//.exec(playlist)?.[1] ?? null;
