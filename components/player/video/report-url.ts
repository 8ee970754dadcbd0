/** Report URL of a playlist: `/hls/ID/index.m3u8?token=…` to `/cmcd/ID?token=…`. */
export const reportUrl = (playlist: string): string =>
  playlist.replace(/\/(?:hls|asset|recordings)\/([^/]+)\/[^?]*/, '/cmcd/$1');
